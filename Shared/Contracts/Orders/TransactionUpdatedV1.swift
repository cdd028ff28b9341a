/// A transaction whose claim is held was submitted again, or Apple signed newer facts of it.
///
/// - Sent by: receipts
/// - Received by: orders
package struct TransactionUpdatedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.transaction.updated.v1"

    /// The newest facts that Receipts holds.
    package var transaction: TransactionFacts
    package var buyerId: BuyerID
    package var orderId: OrderID
    /// Whose verdict this leads to; only when the submitter is the holder.
    package var submission: Submission?

    package init(
        transaction: TransactionFacts,
        buyerId: BuyerID,
        orderId: OrderID,
        submission: Submission? = nil
    ) {
        self.transaction = transaction
        self.buyerId = buyerId
        self.orderId = orderId
        self.submission = submission
    }
}
