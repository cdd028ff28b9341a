package import Contracts

/// Asks for the app transaction of a customer: when and as what the app itself was got.
package struct GetAppTransactionInfo: AppStoreServerRequest, Hashable {
    package static let endpoint = Endpoint.appTransactionInfo
    /// Any transaction of the customer's.
    package var transactionId: TransactionID
    package var id: String { transactionId.rawValue }

    package init(_ transactionId: TransactionID) { self.transactionId = transactionId }

    /// The app transaction, signed.
    package struct Answer: Decodable, Hashable, Sendable {
        /// A JWS, to be verified like any other.
        package var signedAppTransactionInfo: String
    }
}
