package import Contracts

/// Asks how all of a customer's subscriptions in the app stand, with the last transaction and renewal of each.
package struct GetAllSubscriptionStatuses: AppStoreServerRequest, Hashable {
    package static let endpoint = Endpoint.subscriptionStatuses

    package var transactionId: TransactionID
    package var id: String { transactionId.rawValue }

    package init(_ transactionId: TransactionID) { self.transactionId = transactionId }

    /// The subscriptions, by group.
    package struct Response: Decodable, Hashable, Sendable {
        package var bundleId: String?
        /// Absent in the sandbox.
        package var appAppleId: Int64?
        package var environment: Environment?
        package var data: [Group]
    }

    /// The subscriptions of one group.
    package struct Group: Decodable, Hashable, Sendable {
        package var subscriptionGroupIdentifier: String?
        package var lastTransactions: [Item]
    }

    /// How one subscription stands.
    package struct Item: Decodable, Hashable, Sendable {
        /// 1: active, 2: expired, 3: billing retry, 4: grace period, 5: revoked.
        package var status: Int?
        package var originalTransactionId: String?
        /// A JWS, still to be verified.
        package var signedTransactionInfo: String
        /// A JWS, still to be verified, separately.
        package var signedRenewalInfo: String?
    }
}
