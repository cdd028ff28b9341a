package import Contracts

/// Asks for a customer's refunded transactions in the app, 20 a page, the earliest refund first.
package struct GetRefundHistory: PagedServerRequest, Hashable {
    package static let endpoint = Endpoint.refundHistory
    /// Any transaction of the customer's.
    package var transactionId: TransactionID
    /// The place of a page, from the answer before; nil for the first.
    package var revision: String?
    package var id: String { transactionId.rawValue }
    package var query: [QueryItem] { QueryItem.optional("revision", revision) }

    package init(_ transactionId: TransactionID) { self.transactionId = transactionId }

    /// The question for the page after `answer`.
    package func next(after answer: Answer) throws(AppStoreServerError) -> Self? {
        guard let revision = try place(answer.revision, hasMore: answer.hasMore, after: revision) else {
            return nil
        }
        var next = self
        next.revision = revision
        return next
    }

    /// One page.
    package struct Answer: Decodable, Hashable, Sendable {
        package var revision: String?
        package var hasMore: Bool
        /// JWS, to be verified like any other.
        package var signedTransactions: [String]
    }
}
