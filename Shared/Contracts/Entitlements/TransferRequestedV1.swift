/// A purchase is to go to another login: the ledger takes it back from its holder, if the cause allows it.
///
/// - Sent by: receipts
/// - Received by: entitlements (partition of the holder)
package struct TransferRequestedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.transfer.requested.v1"

    /// The newest in Receipts.
    package var transaction: TransactionFacts
    package var orderId: OrderID
    /// The holder, from whom it is taken.
    package var buyerId: BuyerID
    /// To whom it is to go.
    package var toBuyerId: BuyerID
    /// Which transfer of the purchase it is; the first is 1.
    package var transfer: Int
    /// Whether it was answered before, and is sent again because a store was restored.
    package var isAnswered: Bool
    package var cause: TransferCause = .restore
}
