/// An operator withdraws a move to another buyer that nobody has confirmed.
///
/// - Sent by: gateway
/// - Received by: receipts (the partition that the id names)
package struct ReassignmentWithdrawV1: RequestContract, Hashable {
    package typealias Reply = ReassignmentProposalV1

    package static let type: EventType = "counterfoil.reassignment.withdraw.v1"

    package var proposalId: ProposalID
    package var reason: String
    package var operatorId: OperatorID
    /// Whether only the operator's own proposal is withdrawn.
    package var onlyOwn: Bool? = nil
}
