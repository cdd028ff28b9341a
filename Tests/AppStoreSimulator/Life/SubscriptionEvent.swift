/// What can happen to a subscription as a whole.
enum SubscriptionEvent: Sendable {
    case renew
    /// The payment failed; with a grace period that ends so many milliseconds later, nil for none.
    case failToRenew(gracePeriod: Int64?)
    case endGracePeriod
    /// A payment that had failed came through.
    case recover
    case expire(Subscription.ExpirationIntent)
    case resubscribe(productId: String?, offer: Offer?)
    case setAutoRenew(Bool)
    /// A better product, from now on.
    case upgrade(productId: String, price: Int64?, period: BillingPeriod?)
    /// A lesser product, from the next renewal on.
    case downgrade(productId: String, price: Int64?)
    case cancelDowngrade
    /// An offer for a subscriber: from now on (`UPGRADE`, or the same product) or from the next renewal on.
    case redeem(Offer, productId: String?, subtype: String?)
    case raisePrice(Int64)
    case acceptPrice
    /// More seats for the running period.
    case addSeats(SeatOrder)
    /// More time, as a gift of the app's.
    case extend(days: Int)

    /// The statuses in which it can happen.
    var allowed: Set<Subscription.Status> {
        switch self {
        case .renew, .failToRenew, .upgrade, .downgrade, .cancelDowngrade, .redeem, .raisePrice, .acceptPrice,
            .addSeats, .extend:
            [.active]
        case .endGracePeriod: [.gracePeriod]
        case .recover: [.gracePeriod, .billingRetry]
        case .expire, .setAutoRenew: [.active, .gracePeriod, .billingRetry]
        case .resubscribe: [.expired, .revoked]
        }
    }
}

/// An offer that was redeemed, with Apple's values.
struct Offer: Codable, Sendable {
    /// 1: introductory, 2: promotional, 3: offer code, 4: win-back.
    let type: Int
    var identifier: String?
    var discountType: String?
    var period: String?
}
