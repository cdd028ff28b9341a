/// Another operator confirms that a purchase goes to another buyer, and it goes.
///
/// - Sent by: gateway
/// - Received by: receipts (the partition that the id names)
package struct ReassignmentConfirmV1: RequestContract, Hashable {
    package typealias Reply = ReassignmentProposalV1

    package static let type: EventType = "counterfoil.reassignment.confirm.v1"

    package var proposalId: ProposalID
    package var operatorId: OperatorID
}
