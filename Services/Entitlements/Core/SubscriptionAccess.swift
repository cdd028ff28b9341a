import Contracts

/// The access that the periods of a chain give, computed when a fact of it changes and kept for reading.
struct SubscriptionAccess: Codable, Hashable, Sendable {
    /// How many of the newest spans are kept: a renewal comes a day ahead at most, and clocks are set back by less.
    static let keptSpans = 8

    /// The time in which one period gives access.
    struct Span: Codable, Hashable, Sendable {
        let transactionId: TransactionID
        let productId: ProductID
        let begins: Timestamp
        let ends: Timestamp
        let expires: Timestamp?
        let offer: SubscriptionsV1.Subscription.Offer?
        /// Each entitlement, and since when the chain has given it without a gap.
        let entitlements: [String: Timestamp]

        func contains(_ moment: Timestamp) -> Bool { begins <= moment && moment < ends }
    }

    /// The newest ones, by time; none is empty.
    private(set) var spans: [Span] = []
    /// The end of all access, also of what is not kept.
    private(set) var accessUntil: Timestamp?
    /// The last period, which may give none.
    let transactionId: TransactionID
    let productId: ProductID
    let expires: Timestamp?
    let isRevoked: Bool
    let offer: SubscriptionsV1.Subscription.Offer?
    let groupId: String?
    let ownership: String?
    let autoRenewStatus: Int?
    let autoRenewProductId: ProductID?
    let isInBillingRetry: Bool

    init(_ last: SubscriptionPeriod, _ renewal: RenewalFacts?, isInBillingRetry: Bool) {
        transactionId = last.transactionId
        productId = last.productId
        expires = last.expiresDate
        isRevoked = last.revocationDate != nil
        offer = last.offer
        groupId = last.groupId
        ownership = last.ownership
        autoRenewStatus = renewal?.autoRenewStatus
        autoRenewProductId = renewal?.autoRenewProductId
        self.isInBillingRetry = isInBillingRetry
    }

    /// Adds the span of a period, which begins no earlier than those before.
    mutating func append(_ period: SubscriptionPeriod, from begins: Timestamp, to ends: Timestamp) {
        let before = spans.last.flatMap { $0.ends == begins ? $0 : nil }
        let entitlements = period.entitlements.map { ($0, before?.entitlements[$0] ?? begins) }
        spans.append(
            Span(
                transactionId: period.transactionId,
                productId: period.productId,
                begins: begins,
                ends: ends,
                expires: period.expiresDate,
                offer: period.offer,
                entitlements: Dictionary(entitlements) { first, _ in first }
            )
        )
        spans = spans.suffix(Self.keptSpans)
        if !period.isParked { accessUntil = max(accessUntil ?? ends, ends) }
    }

    /// The entitlements that it gives at some time.
    var entitlements: Set<String> { Set(spans.flatMap(\.entitlements.keys)) }

    /// The state at a moment: the first that holds.
    ///
    /// | state | holds when |
    /// |---|---|
    /// | parked | a span contains the moment, and what its product gives is parked |
    /// | active | a span contains the moment, before its period expires |
    /// | grace | a span contains the moment |
    /// | revoked | the last period was refunded, or is no longer shared |
    /// | billingRetry | Apple says that it still tries to renew |
    /// | expired | always |
    func state(at moment: Timestamp) -> SubscriptionsV1.Subscription.State {
        if let span = span(at: moment) {
            if span.entitlements.isEmpty { return .parked }
            return span.expires.map { moment < $0 } ?? true ? .active : .grace
        }
        if isRevoked { return .revoked }
        return isInBillingRetry ? .billingRetry : .expired
    }

    /// The subscription as a buyer's server sees it.
    func subscription(
        _ chain: TransactionID,
        _ environment: Environment,
        at moment: Timestamp
    ) -> SubscriptionsV1.Subscription {
        let span = span(at: moment)
        var subscription = SubscriptionsV1.Subscription(
            originalTransactionId: chain,
            productId: span?.productId ?? productId,
            state: state(at: moment),
            transactionId: span?.transactionId ?? transactionId,
            environment: environment
        )
        subscription.groupId = groupId
        subscription.accessUntil = accessUntil
        subscription.expires = span == nil ? expires : span?.expires
        subscription.autoRenew = autoRenewStatus.map { $0 == 1 }
        subscription.autoRenewProductId = autoRenewProductId
        subscription.ownership = ownership
        subscription.offer = span == nil ? offer : span?.offer
        return subscription
    }

    /// Why a period gives nothing any more at a moment; nil while it gives access, or will.
    func endReason(of transaction: TransactionID, at moment: Timestamp) -> String? {
        guard let span = spans.last(where: { $0.transactionId == transaction }) else { return "expired" }
        guard span.ends <= moment else { return nil }
        return span.expires.map { $0 <= span.ends } ?? true ? "expired" : "superseded"
    }

    private func span(at moment: Timestamp) -> Span? { spans.last { $0.contains(moment) } }
}

extension SubscriptionAccess: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        spans = try json.member("spans", value?.spans)
        accessUntil = try json.optional("accessUntil", value?.accessUntil)
        transactionId = try json.member("transactionId", value?.transactionId)
        productId = try json.member("productId", value?.productId)
        expires = try json.optional("expires", value?.expires)
        isRevoked = try json.member("isRevoked", value?.isRevoked)
        offer = try json.optional("offer", value?.offer)
        groupId = try json.optional("groupId", value?.groupId)
        ownership = try json.optional("ownership", value?.ownership)
        autoRenewStatus = try json.optional("autoRenewStatus", value?.autoRenewStatus)
        autoRenewProductId = try json.optional("autoRenewProductId", value?.autoRenewProductId)
        isInBillingRetry = try json.member("isInBillingRetry", value?.isInBillingRetry)
        try json.close()
    }
}

extension SubscriptionAccess.Span: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        transactionId = try json.member("transactionId", value?.transactionId)
        productId = try json.member("productId", value?.productId)
        begins = try json.member("begins", value?.begins)
        ends = try json.member("ends", value?.ends)
        expires = try json.optional("expires", value?.expires)
        offer = try json.optional("offer", value?.offer)
        entitlements = try json.member("entitlements", value?.entitlements)
        try json.close()
    }
}
