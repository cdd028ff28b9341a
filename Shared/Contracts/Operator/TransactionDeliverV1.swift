/// Hands in a transaction that Apple was asked for; it takes the usual road, on nobody's behalf.
///
/// - Sent by: operator
/// - Received by: receipts (any partition)
package struct TransactionDeliverV1: Request, Hashable {
    package typealias Reply = TransactionDeliveredV1

    package static let type: EventType = "counterfoil.transaction.deliver.v1"

    /// The app that it must be of.
    package var bundleId: BundleID
    /// The transaction as Apple signed it: a compact JWS.
    package var signedTransaction: String

    package init(bundleId: BundleID, signedTransaction: String) {
        self.bundleId = bundleId
        self.signedTransaction = signedTransaction
    }
}
