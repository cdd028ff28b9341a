/// The subscriptions of a buyer in one environment.
package struct SubscriptionsV1: Codable, Hashable, Sendable {
    package var subscriptions: [Subscription]

    package init(subscriptions: [Subscription]) { self.subscriptions = subscriptions }

    /// One chain of periods.
    package struct Subscription: Codable, Hashable, Sendable {
        /// The first that holds.
        package enum State: String, Codable, Sendable, CaseIterable {
            case active
            /// A renewal has failed; access lasts until the grace period ends.
            case grace
            /// It runs, but an operator must say what its product gives: it gives nothing yet.
            case parked
            /// The last period was refunded, or is no longer shared.
            case revoked
            /// A renewal has failed, and Apple still tries.
            case billingRetry
            case expired
        }

        /// The offer by which a period was bought.
        package struct Offer: Codable, Hashable, Sendable {
            /// 1: introductory, 2: promotional, 3: offer code, 4: win-back.
            package var type: Int
            package var identifier: String?
            package var discountType: String?

            package init(type: Int, identifier: String? = nil, discountType: String? = nil) {
                self.type = type
                self.identifier = identifier
                self.discountType = discountType
            }
        }

        package var originalTransactionId: TransactionID
        /// Apple's `subscriptionGroupIdentifier`; absent where an old proof does not say it.
        package var groupId: String?
        /// Of the period that contains the present, else of the last one; as `expires` and `transactionId`.
        package var productId: ProductID
        package var state: State
        /// The end of all access by this chain, also when it is past; absent if there never was any.
        package var accessUntil: Timestamp?
        package var expires: Timestamp?
        /// Whether it renews at the end of its period; absent as long as Apple has not said so.
        package var autoRenew: Bool?
        package var autoRenewProductId: ProductID?
        /// Apple's `inAppOwnershipType`.
        package var ownership: String?
        package var offer: Offer?
        package var transactionId: TransactionID
        package var environment: Environment

        package init(
            originalTransactionId: TransactionID,
            productId: ProductID,
            state: State,
            transactionId: TransactionID,
            environment: Environment
        ) {
            self.originalTransactionId = originalTransactionId
            self.productId = productId
            self.state = state
            self.transactionId = transactionId
            self.environment = environment
        }
    }
}

extension SubscriptionsV1: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        subscriptions = try json.member("subscriptions", value?.subscriptions)
        try json.close()
    }
}

extension SubscriptionsV1.Subscription: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        originalTransactionId = try json.member("originalTransactionId", value?.originalTransactionId)
        groupId = try json.optional("groupId", value?.groupId)
        productId = try json.member("productId", value?.productId)
        state = try json.member("state", value?.state)
        accessUntil = try json.optional("accessUntil", value?.accessUntil)
        expires = try json.optional("expires", value?.expires)
        autoRenew = try json.optional("autoRenew", value?.autoRenew)
        autoRenewProductId = try json.optional("autoRenewProductId", value?.autoRenewProductId)
        ownership = try json.optional("ownership", value?.ownership)
        offer = try json.optional("offer", value?.offer)
        transactionId = try json.member("transactionId", value?.transactionId)
        environment = try json.member("environment", value?.environment)
        try json.close()
    }
}

extension SubscriptionsV1.Subscription.Offer: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        type = try json.member("type", value?.type)
        identifier = try json.optional("identifier", value?.identifier)
        discountType = try json.optional("discountType", value?.discountType)
        try json.close()
    }
}
