import AppStoreSigning
import Contracts

/// How a subscription goes from one status to another; `SubscriptionEvent.allowed` says which event can happen when.
///
/// | event                                     | to                        |
/// |-------------------------------------------|---------------------------|
/// | renew, recover, resubscribe               | active, with a new period |
/// | upgrade, redeem (unless a downgrade)      | active, with a new period |
/// | failToRenew                               | gracePeriod, billingRetry |
/// | endGracePeriod                            | billingRetry              |
/// | expire                                    | expired                   |
/// | all others                                | unchanged                 |
struct SubscriptionMachine {
    private(set) var subscription: Subscription
    let latest: Sale
    let now: Timestamp
    let newNumber: String

    mutating func apply(_ event: SubscriptionEvent) throws(Refusal) -> SaleChanges {
        guard event.allowed.contains(subscription.status) else {
            throw Refusal("the subscription is \(subscription.status)")
        }
        switch event {
        case .renew:
            let isLast = latest.transaction.billingPeriodNumber == Commitment.periods
            guard isLast ? subscription.isCommitmentRenewing ?? true : subscription.isAutoRenewing else {
                throw Refusal("the buyer has turned renewal off")
            }
            return buy(at: subscription.renewalDate, "DID_RENEW", reason: "RENEWAL")
        case .failToRenew(let gracePeriod):
            guard gracePeriod == nil || subscription.isCommitmentRenewing == nil else {
                throw Refusal("a commitment has no grace period")
            }
            return failToRenew(gracePeriod)
        case .endGracePeriod:
            subscription.status = .billingRetry
            subscription.gracePeriodExpiresDate = nil
            return changed("GRACE_PERIOD_EXPIRED")
        case .recover:
            // Within the grace period the days of renewal stay as they were; later a new period begins now.
            let isInGrace = subscription.status == .gracePeriod
            let start = isInGrace ? subscription.renewalDate : now.milliseconds
            return buy(at: start, "DID_RENEW", "BILLING_RECOVERY", reason: "RENEWAL")
        case .expire(let intent): return expire(intent)
        case .resubscribe(let productId, let offer):
            subscription.renewalProductId = productId ?? latest.transaction.productId
            subscription.startDate = now.milliseconds
            return buy(at: now.milliseconds, "SUBSCRIBED", "RESUBSCRIBE", offer: offer)
        case .setAutoRenew(let isOn):
            if subscription.isCommitmentRenewing == nil {
                subscription.isAutoRenewing = isOn
            } else {
                subscription.isCommitmentRenewing = isOn
            }
            return changed("DID_CHANGE_RENEWAL_STATUS", isOn ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED")
        case .upgrade(let productId, let price, let period):
            change(to: productId, price)
            subscription.period = period ?? subscription.period
            return buy(at: now.milliseconds, "DID_CHANGE_RENEWAL_PREF", "UPGRADE", replaces: true)
        case .downgrade(let productId, let price):
            change(to: productId, price)
            return changed("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE")
        case .cancelDowngrade:
            change(to: latest.transaction.productId, latest.transaction.price)
            return changed("DID_CHANGE_RENEWAL_PREF")
        case .redeem(let offer, let productId, let subtype):
            change(to: productId ?? subscription.renewalProductId, nil)
            guard subtype != "DOWNGRADE" else { return changed("OFFER_REDEEMED", subtype) }
            let isUpgrade = subtype == "UPGRADE"
            return buy(at: now.milliseconds, "OFFER_REDEEMED", subtype, offer: offer, replaces: isUpgrade)
        case .raisePrice(let price):
            subscription.priceIncreaseStatus = 0
            subscription.renewalPrice = price
            return changed("PRICE_INCREASE", "PENDING")
        case .acceptPrice:
            guard subscription.priceIncreaseStatus == 0 else {
                throw Refusal("no price increase is pending")
            }
            subscription.priceIncreaseStatus = 1
            return changed("PRICE_INCREASE", "ACCEPTED")
        case .addSeats(let order): return try add(order)
        case .extend(let days): return extend(days)
        }
    }

    /// More seats for the running period, of which every transaction then states that seats were added.
    ///
    /// Apple's type of this notification is not known.
    private func add(_ order: SeatOrder) throws(Refusal) -> SaleChanges {
        guard latest.transaction.multiSeatInfo != nil else { throw Refusal("the subscription has no seats") }
        var older = latest
        older.transaction.additionalTransactionReason = "SEAT_ADDITION"
        let addition = Sale(latest.transaction.addition(of: order, number: newNumber, at: now))
        let sales = [older, addition]
        return changed("DID_CHANGE_RENEWAL_PREF", "INCREASE_QUANTITY", sales: sales, of: addition)
    }

    private mutating func failToRenew(_ gracePeriod: Int64?) -> SaleChanges {
        subscription.status = gracePeriod == nil ? .billingRetry : .gracePeriod
        subscription.gracePeriodExpiresDate = gracePeriod.map {
            max(now.milliseconds, subscription.renewalDate) + $0
        }
        subscription.expirationIntent = .billingError
        return changed("DID_FAIL_TO_RENEW", gracePeriod == nil ? nil : "GRACE_PERIOD")
    }

    private mutating func expire(_ intent: Subscription.ExpirationIntent) -> SaleChanges {
        subscription.status = .expired
        subscription.isAutoRenewing = false
        subscription.expirationIntent = intent
        subscription.gracePeriodExpiresDate = nil
        var sale = latest
        sale.transaction.expiresDate = min(sale.transaction.expiresDate ?? .max, now.milliseconds)
        return changed("EXPIRED", intent.subtype, sales: [sale])
    }

    private mutating func extend(_ days: Int) -> SaleChanges {
        var sale = latest
        let longer = (sale.transaction.expiresDate ?? subscription.renewalDate) + Int64(days) * 86_400_000
        sale.transaction.expiresDate = longer
        subscription.renewalDate = longer
        subscription.extensions.append(now.milliseconds)
        return changed("RENEWAL_EXTENDED", sales: [sale])
    }

    private mutating func change(to productId: String, _ price: Int64?) {
        subscription.renewalProductId = productId
        subscription.renewalPrice = price ?? subscription.renewalPrice
    }

    /// What has changed, and a notification of one sale, the latest period unless said.
    private func changed(
        _ type: String,
        _ subtype: String? = nil,
        sales: [Sale] = [],
        of sale: Sale? = nil
    ) -> SaleChanges {
        SaleChanges(
            sales: sales,
            subscriptions: [subscription],
            notifications: [PendingServerNotification(type, subtype, of: (sale ?? latest).id)]
        )
    }

    /// The next period, and an active subscription.
    private mutating func buy(
        at start: Int64,
        _ type: String,
        _ subtype: String? = nil,
        reason: String = "PURCHASE",
        offer: Offer? = nil,
        replaces: Bool = false
    ) -> SaleChanges {
        var sales: [Sale] = []
        if replaces {
            var replaced = latest
            replaced.transaction.isUpgraded = true
            sales.append(replaced)
        }
        let next = Sale(period(from: start, reason: reason, offer: offer), sharedFrom: latest.sharedFrom)
        sales.append(next)
        subscription.status = .active
        subscription.latestTransactionId = next.id
        subscription.renewalDate = next.transaction.expiresDate ?? start
        subscription.isAutoRenewing = true
        subscription.expirationIntent = nil
        subscription.gracePeriodExpiresDate = nil
        subscription.priceIncreaseStatus = nil
        return changed(type, subtype, sales: sales, of: next)
    }

    private func period(from start: Int64, reason: String, offer: Offer?) -> SignedTransaction {
        var next = latest.transaction.notRevoked.revoking(seats: 0)
        next.transactionId = newNumber
        next.webOrderLineItemId = newNumber
        next.productId = subscription.renewalProductId
        next.purchaseDate = start
        next.expiresDate = subscription.period.end(from: start)
        next.price = offer?.discountType == "FREE_TRIAL" ? 0 : subscription.renewalPrice
        next.transactionReason = reason
        next.additionalTransactionReason = nil
        next.commitmentInfo = latest.transaction.nextCommitmentInfo(
            at: start,
            period: subscription.period,
            price: subscription.renewalPrice
        )
        next.isUpgraded = nil
        next.offerType = offer?.type
        next.offerIdentifier = offer?.identifier
        next.offerDiscountType = offer?.discountType
        next.offerPeriod = offer?.period
        return next
    }
}

extension Subscription.ExpirationIntent {
    fileprivate var subtype: String {
        switch self {
        case .cancelled: "VOLUNTARY"
        case .billingError: "BILLING_RETRY"
        case .priceIncrease: "PRICE_INCREASE"
        case .productNotForSale: "PRODUCT_NOT_FOR_SALE"
        }
    }
}
