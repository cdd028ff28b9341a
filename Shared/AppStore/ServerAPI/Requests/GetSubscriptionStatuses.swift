package import Contracts

/// Asks for the state of a customer's subscriptions in the app.
package struct GetSubscriptionStatuses: AppStoreServerRequest, Hashable {
    package static let endpoint = Endpoint.subscriptionStatuses
    /// Any transaction of the customer's.
    package var transactionId: TransactionID
    /// Only those in one of these states; empty for all.
    package var statuses: [SubscriptionStatus]
    package var id: String { transactionId.rawValue }
    package var query: [QueryItem] { statuses.map { QueryItem("status", "\($0.rawValue)") } }

    package init(_ transactionId: TransactionID, statuses: [SubscriptionStatus] = []) {
        self.transactionId = transactionId
        self.statuses = statuses
    }

    /// All subscriptions, by group.
    package struct Answer: Decodable, Hashable, Sendable {
        package var environment: Environment?
        package var bundleId: String?
        /// Absent in the sandbox.
        package var appAppleId: Int64?
        package var data: [Group]
    }

    /// The subscriptions of one group, of which a customer holds one at a time.
    package struct Group: Decodable, Hashable, Sendable {
        package var subscriptionGroupIdentifier: String
        package var lastTransactions: [Item]
    }

    /// A subscription's last transaction.
    package struct Item: Decodable, Hashable, Sendable {
        package var status: SubscriptionStatus
        package var originalTransactionId: String
        /// A JWS, to be verified like any other.
        package var signedTransactionInfo: String
        /// A JWS, to be verified like any other.
        package var signedRenewalInfo: String
    }
}

/// The state of a subscription; its number is kept, known or not.
package struct SubscriptionStatus: RawRepresentable, Decodable, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Paid for.
    package static let active = SubscriptionStatus(rawValue: 1)
    /// At its end.
    package static let expired = SubscriptionStatus(rawValue: 2)
    /// Unpaid, and Apple tries again.
    package static let billingRetry = SubscriptionStatus(rawValue: 3)
    /// Unpaid, but still granted while Apple tries again.
    package static let gracePeriod = SubscriptionStatus(rawValue: 4)
    /// Taken back.
    package static let revoked = SubscriptionStatus(rawValue: 5)
}
