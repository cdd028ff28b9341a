import Contracts

/// What a buyer has access to at a moment.
struct Access: Equatable, Sendable {
    /// One entitlement that is possessed.
    struct Possession: Equatable, Sendable {
        let entitlement: String
        /// Milliseconds since 1970, as all times here; nil if never.
        let expires: Int64?
    }

    struct Subscription: Equatable, Sendable {
        let originalTransactionId: String
        let productId: String
        let transactionId: String
        let state: String
        let accessUntil: Int64?
        let expires: Int64?
        let autoRenew: Bool?
    }

    /// By name, and by the first transaction.
    var possessions: [Possession]
    var subscriptions: [Subscription]
}

/// What the gateway answers of a buyer's holdings.
struct HoldingsReading: Sendable {
    let entitlements: EntitlementsV1
    let subscriptions: SubscriptionsV1
    /// When it was asked, and when the last answer had come; milliseconds since 1970.
    let asked: Int64
    let answered: Int64

    var access: Access {
        Access(
            possessions: entitlements.entitlements
                .map { .init(entitlement: $0.entitlement, expires: $0.expires?.milliseconds) }
                .sorted { $0.entitlement < $1.entitlement },
            subscriptions: subscriptions.subscriptions.map(Access.Subscription.init)
                .sorted { $0.originalTransactionId < $1.originalTransactionId }
        )
    }
}

extension Access.Subscription {
    fileprivate init(_ answer: SubscriptionsV1.Subscription) {
        self.init(
            originalTransactionId: answer.originalTransactionId.rawValue,
            productId: answer.productId.rawValue,
            transactionId: answer.transactionId.rawValue,
            state: answer.state.rawValue,
            accessUntil: answer.accessUntil?.milliseconds,
            expires: answer.expires?.milliseconds,
            autoRenew: answer.autoRenew
        )
    }
}
