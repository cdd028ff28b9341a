package import Contracts

/// Asks for a customer's transactions in the app, 20 a page, those changed last at the end.
///
/// Version 2, which includes finished consumables.
package struct GetTransactionHistory: PagedServerRequest, Hashable {
    package static let endpoint = Endpoint.transactionHistory

    /// Which way the pages go.
    package enum Sort: String, Sendable { case ascending = "ASCENDING", descending = "DESCENDING" }

    /// Apple's names for the types of product.
    package enum ProductType: String, Sendable {
        case autoRenewable = "AUTO_RENEWABLE"
        case nonRenewable = "NON_RENEWABLE"
        case consumable = "CONSUMABLE"
        case nonConsumable = "NON_CONSUMABLE"
    }

    /// Any transaction of the customer's.
    package var transactionId: TransactionID
    /// The place of a page, from the answer before; nil for the first.
    ///
    /// All else must be as it was for the first.
    package var revision: String?
    package var startDate: Timestamp?
    package var endDate: Timestamp?
    package var productIds: [ProductID] = []
    package var productTypes: [ProductType] = []
    package var sort: Sort?
    package var subscriptionGroupIdentifiers: [String] = []
    /// `PURCHASED`, `FAMILY_SHARED` or `ASSIGNED`.
    package var inAppOwnershipType: String?
    /// Only what was revoked, or only what was not.
    package var revoked: Bool?

    package var id: String { transactionId.rawValue }

    package init(_ transactionId: TransactionID) { self.transactionId = transactionId }

    /// Place, span and filters.
    package var query: [QueryItem] {
        QueryItem.optional("revision", revision)
            + QueryItem.optional("startDate", startDate.map { "\($0.milliseconds)" })
            + QueryItem.optional("endDate", endDate.map { "\($0.milliseconds)" })
            + productIds.map { QueryItem("productId", $0.rawValue) }
            + productTypes.map { QueryItem("productType", $0.rawValue) }
            + QueryItem.optional("sort", sort?.rawValue)
            + subscriptionGroupIdentifiers.map { QueryItem("subscriptionGroupIdentifier", $0) }
            + QueryItem.optional("inAppOwnershipType", inAppOwnershipType)
            + QueryItem.optional("revoked", revoked.map { "\($0)" })
    }

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
        package var bundleId: String?
        /// Absent in the sandbox.
        package var appAppleId: Int64?
        package var environment: Environment?
        /// JWS, to be verified like any other.
        package var signedTransactions: [String]
    }
}
