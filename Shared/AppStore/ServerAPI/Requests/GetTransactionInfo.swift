package import Contracts

/// Asks for one transaction's current state.
package struct GetTransactionInfo: AppStoreServerRequest, Hashable {
    package static let endpoint = Endpoint.transactionInfo

    package var transactionId: TransactionID
    package var id: String { transactionId.rawValue }

    package init(_ transactionId: TransactionID) { self.transactionId = transactionId }

    /// The transaction, signed.
    package struct Response: Decodable, Hashable, Sendable {
        /// A JWS, still to be verified.
        package var signedTransactionInfo: String
    }
}
