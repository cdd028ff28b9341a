/// An order has long been unpaid: Apple may know its payment, though no phone or notification reported it.
///
/// Unknown transactions of the buyer's account are handled as usual; there is no answer.
///
/// - Sent by: orders
/// - Received by: receipts (partition of the buyer)
package struct PaymentLookupV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.payment.lookup.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    /// Any transaction of the buyer, for requesting Apple's history.
    package var transactionId: TransactionID
    /// When the oldest unpaid order was issued whose payment is still looked up; no payment for them is older.
    package var since: Timestamp
}
