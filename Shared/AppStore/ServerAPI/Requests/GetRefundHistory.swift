package import Contracts
package import Foundation

/// Asks for a customer's refunded transactions in the app, 20 a page, the earliest refund first.
package struct GetRefundHistory: PagedServerRequest, Hashable {
    package static let endpoint = Endpoint.refundHistory

    package var transactionId: TransactionID
    package var revision: String?

    package var id: String { transactionId.rawValue }
    package var query: [URLQueryItem] { [URLQueryItem(name: "revision", value: revision)] }

    package init(_ transactionId: TransactionID) { self.transactionId = transactionId }

    /// The request for the page after `response`.
    package func next(after response: Response) throws(AppStoreServerError) -> Self? {
        try page(response.revision, hasMore: response.hasMore, \.revision)
    }

    /// One page.
    package struct Response: Decodable, Hashable, Sendable {
        package var revision: String?
        package var hasMore: Bool
        /// JWS, still to be verified.
        package var signedTransactions: [String]
    }
}
