/// The transaction is this buyer's and pays for this order, for ever; with everything that Orders knows of it.
///
/// Told again after a store was restored: a partition of Receipts that has forgotten the transaction learns it from
/// here. What `ClaimHeldV1` says of the transaction's ids stands in `transaction`.
///
/// - Sent by: orders
/// - Received by: receipts
package struct ClaimRedrivenV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.claim.redriven.v1"

    /// The proposal that was answered; 0 when the order does not know it any more.
    package var attempt: Int
    /// The newest facts that Orders holds.
    package var transaction: TransactionFacts
    package var buyerId: BuyerID
    package var orderId: OrderID

    package init(attempt: Int, transaction: TransactionFacts, buyerId: BuyerID, orderId: OrderID) {
        self.attempt = attempt
        self.transaction = transaction
        self.buyerId = buyerId
        self.orderId = orderId
    }
}
