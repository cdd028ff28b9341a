package import Contracts
package import FoundationEssentials

/// Asks for a customer's transactions, finished consumables too, 20 a page, last changed at the end.
package struct GetTransactionHistory: PagedServerRequest, Hashable {
    package static let endpoint = Endpoint.transactionHistory

    /// Apple's names for the types of product that are asked for.
    package enum ProductType: String, Sendable {
        case autoRenewable = "AUTO_RENEWABLE"
        case consumable = "CONSUMABLE"
        case nonConsumable = "NON_CONSUMABLE"
    }

    package var transactionId: TransactionID
    /// From the response before; nil for the first; all else must stay as it was.
    package var revision: String?
    package var startDate: Timestamp?
    package var productTypes: [ProductType] = []
    /// True: only revoked ones; false: only others.
    package var revoked: Bool?

    package var id: String { transactionId.rawValue }

    package init(_ transactionId: TransactionID) { self.transactionId = transactionId }

    /// Page, span and filters.
    package var query: [URLQueryItem] {
        [
            URLQueryItem(name: "revision", value: revision),
            URLQueryItem(name: "startDate", value: startDate.map { "\($0.milliseconds)" }),
            URLQueryItem(name: "revoked", value: revoked.map { "\($0)" }),
        ] + productTypes.map { URLQueryItem(name: "productType", value: $0.rawValue) }
    }

    /// The request for the page after `response`.
    package func next(after response: Response) throws(AppStoreServerError) -> Self? {
        try page(response.revision, hasMore: response.hasMore, \.revision)
    }

    /// One page.
    package struct Response: Decodable, Hashable, Sendable {
        package var revision: String?
        package var hasMore: Bool
        package var bundleId: String?
        /// Absent in the sandbox.
        package var appAppleId: Int64?
        package var environment: Environment?
        /// JWS, still to be verified.
        package var signedTransactions: [String]
    }
}
