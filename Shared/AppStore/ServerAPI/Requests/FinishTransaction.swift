package import Contracts

/// Finishes a transaction in the app's place; of no need where the app itself calls `finish()`.
package struct FinishTransaction: AppStoreServerRequest, Hashable {
    /// Only the status counts.
    package typealias Answer = NoAnswer
    package static let endpoint = Endpoint.finishTransaction
    package var transactionId: TransactionID
    package var id: String { transactionId.rawValue }

    package init(_ transactionId: TransactionID) { self.transactionId = transactionId }
}
