import Contracts

/// `POST /_control/events`: what happens to a purchase, by its name and what belongs to it.
struct EventRequest: Decodable {
    enum Name: String, KnownName, Sendable {
        // To one transaction.
        case refund, refundSeats, reverseRefund, declineRefund, revoke, requestConsumption, finish, share
        case assign, restore
        // To a subscription.
        case renew, failToRenew, endGracePeriod, recover, expire, resubscribe, enableAutoRenew
        case disableAutoRenew, upgrade, downgrade, cancelDowngrade, redeemOffer, raisePrice, acceptPrice
        case addSeats
        // To an account.
        case rescindConsent, deleteAccount
        // To a purchase that waits for a parent's approval.
        case approve, decline
        // A notification of any type, with no change behind it.
        case notification
    }

    let event: Name
    let transactionId: String?
    let pendingId: String?

    /// Refunds: 1 for an issue with the app, 0 for another reason.
    let reason: Int?
    /// Refunds: milliunits of a percent; absent for all.
    let percentage: Int?
    /// Refunds of seats: how many.
    let quantity: Int?
    let consumptionRequestReason: String?
    /// Sharing: the account of the other member of the family, or of who gets the seat.
    let account: String?
    /// Days; absent for none.
    let gracePeriodDays: Double?
    let expirationIntent: Int?
    let productId: String?
    let price: Int64?
    let period: BillingPeriod?
    let offer: Offer?
    let seats: SeatOrder?

    let bundleId: String?
    let environment: StoreEnvironment?
    let notificationType: String?
    let subtype: String?
    let summary: JSONValue?
    let externalPurchaseToken: JSONValue?
    let appData: JSONValue?
    let unclaimInfo: JSONValue?

    /// False if the app's server is not to be told.
    let notify: Bool?

    func purchaseEvent() throws(Problem) -> PurchaseEvent? {
        switch event {
        case .refund:
            if let percentage, !(1...100_000).contains(percentage) {
                throw Problem("percentage is not between 1 and 100000")
            }
            return .refund(reason: try Problem.refundReason(reason), percentage: percentage)
        case .refundSeats: return .refundSeats(try required(quantity, "quantity"))
        case .reverseRefund: return .reverseRefund
        case .declineRefund: return .declineRefund
        case .revoke: return .revoke
        case .requestConsumption:
            return .requestConsumption(reason: consumptionRequestReason ?? "UNINTENDED_PURCHASE")
        default: return nil
        }
    }

    func subscriptionEvent() throws(Problem) -> SubscriptionEvent? {
        switch event {
        case .renew: .renew
        case .failToRenew: .failToRenew(gracePeriod: gracePeriodDays.map { Int64($0 * 86_400_000) })
        case .endGracePeriod: .endGracePeriod
        case .recover: .recover
        case .expire: .expire(try intent())
        case .resubscribe: .resubscribe(productId: productId, offer: offer)
        case .enableAutoRenew: .setAutoRenew(true)
        case .disableAutoRenew: .setAutoRenew(false)
        case .upgrade:
            .upgrade(productId: try required(productId, "productId"), price: price, period: period)
        case .downgrade: .downgrade(productId: try required(productId, "productId"), price: price)
        case .cancelDowngrade: .cancelDowngrade
        case .redeemOffer:
            .redeem(try required(offer, "offer"), productId: productId, subtype: subtype)
        case .raisePrice: .raisePrice(try required(price, "price"))
        case .acceptPrice: .acceptPrice
        case .addSeats: .addSeats(try orderedSeats())
        default: nil
        }
    }

    private func orderedSeats() throws(Problem) -> SeatOrder {
        let order = try required(seats, "seats")
        if let flaw = order.flaw { throw Problem(flaw) }
        return order
    }

    private func intent() throws(Problem) -> Subscription.ExpirationIntent {
        guard let intent = Subscription.ExpirationIntent(rawValue: expirationIntent ?? 1) else {
            throw Problem("expirationIntent is not between 1 and 4")
        }
        return intent
    }

    func required<Value>(_ value: Value?, _ name: String) throws(Problem) -> Value {
        guard let value else { throw Problem("\(name) is missing") }
        return value
    }
}
