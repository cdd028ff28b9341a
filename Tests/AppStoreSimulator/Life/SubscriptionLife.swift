import Contracts

/// How a subscription goes from one standing to another.
///
/// | event             | active       | gracePeriod  | billingRetry | expired | revoked |
/// |-------------------|--------------|--------------|--------------|---------|---------|
/// | renew             | active       | –            | –            | –       | –       |
/// | failToRenew       | grace, retry | –            | –            | –       | –       |
/// | endGracePeriod    | –            | billingRetry | –            | –       | –       |
/// | recover           | –            | active       | active       | –       | –       |
/// | expire            | expired      | expired      | expired      | –       | –       |
/// | resubscribe       | –            | –            | –            | active  | active  |
/// | setAutoRenew      | active       | gracePeriod  | billingRetry | –       | –       |
/// | all that is left  | active       | –            | –            | –       | –       |
struct SubscriptionLife {
    private(set) var subscription: Subscription
    /// The period that was bought last.
    let latest: Sale
    let now: Timestamp
    /// The number for a transaction that comes of the event.
    let newNumber: String

    init(_ subscription: Subscription, latest: Sale, now: Timestamp, newNumber: String) {
        self.subscription = subscription
        self.latest = latest
        self.now = now
        self.newNumber = newNumber
    }

    /// What comes of the event.
    mutating func apply(_ event: SubscriptionEvent) throws(Refusal) -> Happening {
        switch event {
        case .renew: try renew()
        case .failToRenew(let gracePeriod): try failToRenew(gracePeriod)
        case .endGracePeriod: try endGracePeriod()
        case .recover: try recover()
        case .expire(let intent): try expire(intent)
        case .resubscribe(let productId, let offer): try resubscribe(productId, offer)
        case .setAutoRenew(let isOn): try setAutoRenew(isOn)
        case .upgrade(let productId, let price, let period): try upgrade(productId, price, period)
        case .downgrade(let productId, let price): try downgrade(productId, price)
        case .cancelDowngrade: try cancelDowngrade()
        case .redeem(let offer, let productId, let subtype): try redeem(offer, productId, subtype)
        case .raisePrice(let price): try raisePrice(price)
        case .acceptPrice: try acceptPrice()
        case .extend(let days): try extend(days)
        }
    }

    private func require(_ standings: Subscription.Standing...) throws(Refusal) {
        guard standings.contains(subscription.standing) else {
            throw Refusal("the subscription is \(subscription.standing)")
        }
    }

    // MARK: Renewals

    private mutating func renew() throws(Refusal) -> Happening {
        try require(.active)
        guard subscription.isAutoRenewing else { throw Refusal("the buyer has turned renewal off") }
        return buy(at: subscription.renewalDate, reason: "RENEWAL", telling: Told("DID_RENEW"))
    }

    private mutating func failToRenew(_ gracePeriod: Int64?) throws(Refusal) -> Happening {
        try require(.active)
        subscription.standing = gracePeriod == nil ? .billingRetry : .gracePeriod
        subscription.gracePeriodExpiresDate = gracePeriod.map { max(now.milliseconds, renewalDate) + $0 }
        subscription.expirationIntent = .billingError
        return told("DID_FAIL_TO_RENEW", gracePeriod == nil ? nil : "GRACE_PERIOD")
    }

    private mutating func endGracePeriod() throws(Refusal) -> Happening {
        try require(.gracePeriod)
        subscription.standing = .billingRetry
        subscription.gracePeriodExpiresDate = nil
        return told("GRACE_PERIOD_EXPIRED")
    }

    /// Within the grace period the days of renewal stay as they were; later a new period begins now.
    private mutating func recover() throws(Refusal) -> Happening {
        try require(.gracePeriod, .billingRetry)
        let start = subscription.standing == .gracePeriod ? renewalDate : now.milliseconds
        return buy(at: start, reason: "RENEWAL", telling: Told("DID_RENEW", "BILLING_RECOVERY"))
    }

    private mutating func expire(_ intent: Subscription.ExpirationIntent) throws(Refusal) -> Happening {
        try require(.active, .gracePeriod, .billingRetry)
        subscription.standing = .expired
        subscription.isAutoRenewing = false
        subscription.expirationIntent = intent
        subscription.gracePeriodExpiresDate = nil
        var sale = latest
        sale.transaction.expiresDate = min(sale.transaction.expiresDate ?? .max, now.milliseconds)
        return told("EXPIRED", intent.subtype, sales: [sale])
    }

    private mutating func resubscribe(_ productId: String?, _ offer: Offer?) throws(Refusal) -> Happening {
        try require(.expired, .revoked)
        subscription.renewalProductId = productId ?? latest.transaction.productId
        subscription.startDate = now.milliseconds
        let told = Told("SUBSCRIBED", "RESUBSCRIBE")
        return buy(at: now.milliseconds, reason: "PURCHASE", offer: offer, telling: told)
    }

    // MARK: Changes of mind

    private mutating func setAutoRenew(_ isOn: Bool) throws(Refusal) -> Happening {
        try require(.active, .gracePeriod, .billingRetry)
        subscription.isAutoRenewing = isOn
        return told("DID_CHANGE_RENEWAL_STATUS", isOn ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED")
    }

    private mutating func upgrade(
        _ productId: String,
        _ price: Int64?,
        _ period: BillingPeriod?
    ) throws(Refusal) -> Happening {
        try require(.active)
        subscription.renewalProductId = productId
        subscription.renewalPrice = price ?? subscription.renewalPrice
        subscription.period = period ?? subscription.period
        return buy(
            at: now.milliseconds,
            reason: "PURCHASE",
            replaces: true,
            telling: Told("DID_CHANGE_RENEWAL_PREF", "UPGRADE")
        )
    }

    private mutating func downgrade(_ productId: String, _ price: Int64?) throws(Refusal) -> Happening {
        try require(.active)
        subscription.renewalProductId = productId
        subscription.renewalPrice = price ?? subscription.renewalPrice
        return told("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE")
    }

    private mutating func cancelDowngrade() throws(Refusal) -> Happening {
        try require(.active)
        subscription.renewalProductId = latest.transaction.productId
        subscription.renewalPrice = latest.transaction.price ?? subscription.renewalPrice
        return told("DID_CHANGE_RENEWAL_PREF")
    }

    private mutating func redeem(
        _ offer: Offer,
        _ productId: String?,
        _ subtype: String?
    ) throws(Refusal) -> Happening {
        try require(.active)
        subscription.renewalProductId = productId ?? subscription.renewalProductId
        guard subtype != "DOWNGRADE" else { return told("OFFER_REDEEMED", subtype) }
        return buy(
            at: now.milliseconds,
            reason: "PURCHASE",
            offer: offer,
            replaces: subtype == "UPGRADE",
            telling: Told("OFFER_REDEEMED", subtype)
        )
    }

    private mutating func raisePrice(_ price: Int64) throws(Refusal) -> Happening {
        try require(.active)
        subscription.priceIncreaseStatus = 0
        subscription.renewalPrice = price
        return told("PRICE_INCREASE", "PENDING")
    }

    private mutating func acceptPrice() throws(Refusal) -> Happening {
        try require(.active)
        guard subscription.priceIncreaseStatus == 0 else { throw Refusal("no price increase is pending") }
        subscription.priceIncreaseStatus = 1
        return told("PRICE_INCREASE", "ACCEPTED")
    }

    private mutating func extend(_ days: Int) throws(Refusal) -> Happening {
        try require(.active)
        var sale = latest
        let longer = (sale.transaction.expiresDate ?? renewalDate) + Int64(days) * 86_400_000
        sale.transaction.expiresDate = longer
        subscription.renewalDate = longer
        subscription.extensions.append(now.milliseconds)
        return told("RENEWAL_EXTENDED", sales: [sale])
    }

    // MARK: What comes of it

    /// A notification's type and subtype.
    private struct Told {
        let type: String
        let subtype: String?

        init(_ type: String, _ subtype: String? = nil) {
            self.type = type
            self.subtype = subtype
        }
    }

    private var renewalDate: Int64 { subscription.renewalDate }

    /// The next period, and an active subscription.
    private mutating func buy(
        at start: Int64,
        reason: String,
        offer: Offer? = nil,
        replaces: Bool = false,
        telling told: Told
    ) -> Happening {
        var sales: [Sale] = []
        if replaces {
            var replaced = latest
            replaced.transaction.isUpgraded = true
            sales.append(replaced)
        }
        let next = Sale(period(from: start, reason: reason, offer: offer), sharedFrom: latest.sharedFrom)
        sales.append(next)
        subscription.standing = .active
        subscription.latestTransactionId = next.id
        subscription.renewalDate = next.transaction.expiresDate ?? start
        subscription.isAutoRenewing = true
        subscription.expirationIntent = nil
        subscription.gracePeriodExpiresDate = nil
        subscription.priceIncreaseStatus = nil
        let notice = Notice(told.type, told.subtype, of: next.id)
        return Happening(sales: sales, subscriptions: [subscription], notices: [notice])
    }

    private func period(from start: Int64, reason: String, offer: Offer?) -> SignedTransaction {
        var next = latest.transaction
        next.transactionId = newNumber
        next.webOrderLineItemId = newNumber
        next.productId = subscription.renewalProductId
        next.purchaseDate = start
        next.expiresDate = subscription.period.end(from: start)
        next.price = offer?.discountType == "FREE_TRIAL" ? 0 : subscription.renewalPrice
        next.transactionReason = reason
        next.isUpgraded = nil
        next.revocationDate = nil
        next.revocationReason = nil
        next.revocationType = nil
        next.revocationPercentage = nil
        next.offerType = offer?.type
        next.offerIdentifier = offer?.identifier
        next.offerDiscountType = offer?.discountType
        next.offerPeriod = offer?.period
        return next
    }

    private func told(_ type: String, _ subtype: String? = nil, sales: [Sale] = []) -> Happening {
        let notice = Notice(type, subtype, of: latest.id)
        return Happening(sales: sales, subscriptions: [subscription], notices: [notice])
    }
}

extension Subscription.ExpirationIntent {
    /// The subtype of `EXPIRED`.
    fileprivate var subtype: String {
        switch self {
        case .cancelled: "VOLUNTARY"
        case .billingError: "BILLING_RETRY"
        case .priceIncrease: "PRICE_INCREASE"
        case .productNotForSale: "PRODUCT_NOT_FOR_SALE"
        }
    }
}
