/// One operator proposes that a purchase which gave amounts goes to another buyer.
///
/// - Sent by: gateway
/// - Received by: receipts (the partition that knows the purchase)
package struct ReassignmentProposeV1: RequestContract, Hashable {
    package typealias Reply = ReassignmentProposalV1

    package static let type: EventType = "counterfoil.reassignment.propose.v1"

    package var proposalId: ProposalID
    package var bundleId: BundleID
    package var environment: Environment
    package var purchaseId: PurchaseID
    package var buyerId: BuyerID
    package var reason: String
    package var operatorId: OperatorID
}
