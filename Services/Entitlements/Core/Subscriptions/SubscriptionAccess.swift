import Contracts

/// The access that the periods of a chain give, computed when a fact of it changes and kept for reading.
struct SubscriptionAccess: Codable, Hashable, Sendable {
    /// How many of the newest spans are kept: a renewal comes a day ahead at most, and clocks are set back by less.
    static let keptSpans = 8

    /// The time in which one period gives access.
    struct Span: Codable, Hashable, Sendable {
        let transactionId: TransactionID
        /// The other ones of the period: by them seats were added, or to one of them.
        let otherTransactionIds: [TransactionID]?
        let productId: ProductID
        let begins: Timestamp
        let ends: Timestamp
        let expires: Timestamp?
        let offer: SubscriptionsV1.Subscription.Offer?
        let seats: SubscriptionsV1.Subscription.Seats?
        /// Each entitlement, and since when the chain has given it without a gap.
        let entitlements: [String: Timestamp]

        func contains(_ moment: Timestamp) -> Bool { begins <= moment && moment < ends }

        /// Whether a transaction pays for the period.
        func isPaid(by transaction: TransactionID) -> Bool {
            transactionId == transaction || otherTransactionIds?.contains(transaction) ?? false
        }
    }

    /// The time in which a period gives access by one of its transactions.
    struct Stretch {
        let period: PaidPeriod
        let transaction: SubscriptionPeriod
        let begins: Timestamp
        let ends: Timestamp

        /// Its place among others.
        var start: (Timestamp, PurchaseID) { (begins, transaction.purchaseId) }
    }

    /// Those that last longest, by their begin; none is empty, and only members' copies of a seat overlap others.
    private(set) var spans: [Span] = []
    /// The end of all access, also of what is not kept.
    private(set) var accessUntil: Timestamp?
    /// The last period, which may give none.
    let transactionId: TransactionID
    let productId: ProductID
    let expires: Timestamp?
    let isRevoked: Bool
    let offer: SubscriptionsV1.Subscription.Offer?
    let seats: SubscriptionsV1.Subscription.Seats?
    let groupId: String?
    let ownership: String?
    /// What Apple said last of the next renewal.
    let renewal: RenewalFacts?
    let isInBillingRetry: Bool

    init(_ last: PaidPeriod, _ renewal: RenewalFacts?, isInBillingRetry: Bool) {
        transactionId = last.first.transactionId
        productId = last.first.productId
        expires = last.expires
        isRevoked = last.isRevoked
        offer = last.first.offer
        seats = last.seats
        groupId = last.first.groupId
        ownership = last.first.ownership
        self.renewal = renewal
        self.isInBillingRetry = isInBillingRetry
    }

    /// Adds a span, which begins no earlier than those before.
    mutating func append(_ stretch: Stretch) {
        let (period, transaction) = (stretch.period, stretch.transaction)
        let (begins, ends) = (stretch.begins, stretch.ends)
        let before = spans.filter { begins <= $0.ends }
        let entitlements = transaction.entitlements.map { name in
            (name, before.compactMap { $0.entitlements[name] }.min() ?? begins)
        }
        let others = period.transactions.map(\.transactionId).filter { $0 != transaction.transactionId }
        spans.append(
            Span(
                transactionId: transaction.transactionId,
                otherTransactionIds: others.isEmpty ? nil : others,
                productId: transaction.productId,
                begins: begins,
                ends: ends,
                expires: period.expires,
                offer: transaction.offer,
                seats: period.seats,
                entitlements: Dictionary(entitlements) { first, _ in first }
            )
        )
        if spans.count > Self.keptSpans,
            let first = spans.indices.min(by: { spans[$0].ends < spans[$1].ends })
        {
            spans.remove(at: first)
        }
        if !transaction.isParked { accessUntil = max(accessUntil ?? ends, ends) }
    }

    /// The entitlements that it gives at some time.
    var entitlements: Set<String> { Set(spans.flatMap(\.entitlements.keys)) }

    /// The state at a moment: the first that holds.
    ///
    /// Tested by: `SubscriptionChainTests`.
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
        subscription.autoRenew = renewal?.autoRenewStatus.map { $0 == 1 }
        subscription.autoRenewProductId = renewal?.autoRenewProductId
        subscription.expirationIntent = renewal?.expirationIntent
        subscription.renewalPrice = renewal?.renewalPrice
        subscription.currency = renewal?.currency
        subscription.priceIncreaseStatus = renewal?.priceIncreaseStatus
        subscription.ownership = ownership
        subscription.offer = span == nil ? offer : span?.offer
        subscription.seats = span == nil ? seats : span?.seats
        return subscription
    }

    /// Why a period gives nothing any more at a moment; nil while it gives access, or will.
    func endReason(of transaction: TransactionID, at moment: Timestamp) -> String? {
        guard let span = spans.last(where: { $0.isPaid(by: transaction) }) else { return "expired" }
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
        seats = try json.optional("seats", value?.seats)
        groupId = try json.optional("groupId", value?.groupId)
        ownership = try json.optional("ownership", value?.ownership)
        renewal = try json.optional("renewal", value?.renewal)
        isInBillingRetry = try json.member("isInBillingRetry", value?.isInBillingRetry)
        try json.close()
    }
}

extension SubscriptionAccess.Span: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        transactionId = try json.member("transactionId", value?.transactionId)
        otherTransactionIds = try json.optional("otherTransactionIds", value?.otherTransactionIds)
        productId = try json.member("productId", value?.productId)
        begins = try json.member("begins", value?.begins)
        ends = try json.member("ends", value?.ends)
        expires = try json.optional("expires", value?.expires)
        offer = try json.optional("offer", value?.offer)
        seats = try json.optional("seats", value?.seats)
        entitlements = try json.member("entitlements", value?.entitlements)
        try json.close()
    }
}
