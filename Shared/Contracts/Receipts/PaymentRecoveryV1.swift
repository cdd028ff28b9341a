/// An order has been open for a while: Apple may know of its payment, whose phone or notification never came.
///
/// Whatever Apple knows of the buyer's account and this service does not takes the usual road; nothing is answered.
///
/// - Sent by: orders
/// - Received by: receipts (partition of the buyer)
package struct PaymentRecoveryV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.payment.recovery.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    /// Any transaction of the buyer's: Apple's history is asked for by it.
    package var transactionId: TransactionID
    /// When the oldest of the open orders was issued; no payment for one of them is older.
    package var since: Timestamp

    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        transactionId: TransactionID,
        since: Timestamp
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.transactionId = transactionId
        self.since = since
    }
}
