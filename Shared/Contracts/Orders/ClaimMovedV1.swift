/// The ledger has taken a purchase back from its holder: it goes to this buyer, and pays an order of theirs.
///
/// Answered with `ClaimHeldV1`, and never refused: where the named order cannot be paid, one is made on the spot.
///
/// - Sent by: receipts
/// - Received by: orders (partition of the new holder)
package struct ClaimMovedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.claim.moved.v1"

    package var transaction: TransactionFacts
    /// The new holder.
    package var buyerId: BuyerID
    /// The new holder's order that it may pay; nil for one on the spot.
    package var orderId: OrderID? = nil
    /// The order that it has paid until now, and that loses it.
    package var fromOrderId: OrderID
    /// Which transfer of the purchase it is; the first is 1.
    package var transfer: Int
    package var evidence: HolderEvidence
}
