/// The transaction belongs to this buyer and pays this order, permanently; with all that Orders knows of it.
///
/// Sent again after a store was restored, so that Receipts relearns a lost transaction. The ids of
/// `ClaimHeldV1` are in `transaction`.
///
/// - Sent by: orders
/// - Received by: receipts
package struct ClaimRedrivenV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.claim.redriven.v1"

    /// The answered proposal; 0 when the order no longer knows it.
    package var attempt: Int
    /// The newest in Orders.
    package var transaction: TransactionFacts
    package var buyerId: BuyerID
    package var orderId: OrderID
    package var evidence: HolderEvidence
    /// Nil while the buyer is the one who paid.
    package var transferred: Transferred? = nil
}
