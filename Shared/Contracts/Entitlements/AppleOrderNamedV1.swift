/// Apple has named the transactions of its order on which a compensation stands.
///
/// - Sent by: receipts
/// - Received by: entitlements
package struct AppleOrderNamedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.apple.order.named.v1"

    package var proposalId: ProposalID
    package var appleOrderId: AppleOrderID
    package var transactionIds: [TransactionID]
    /// The purchases that they belong to.
    package var purchaseIds: [PurchaseID]
}
