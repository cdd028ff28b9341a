import AppStoreSigning
import Contracts
import Foundation

/// `POST /_control/purchases`: what is bought, and how often.
struct PurchaseRequest: Decodable {
    static let maximumCount = 1_000
    /// Milliunits of any currency.
    private static let maximumPrice: Int64 = 1_000_000_000_000

    static let types = [
        "Consumable", "Non-Consumable", "Auto-Renewable Subscription", "Non-Renewing Subscription",
    ]
    private static let billingPlans = ["BILLED_UPFRONT", Commitment.plan]
    private static let environments = ["Production", "Sandbox", "Xcode", "LocalTesting"]

    let bundleId: BundleID
    let productId: ProductID
    let type: String?
    let appAccountToken: String?
    let quantity: Int?
    let price: Int64?
    let currency: String?
    let environment: String?
    let count: Int?
    /// Any name of the buyer's Apple Account; absent for one that makes no other purchase.
    let account: String?
    /// Milliseconds since 1970; absent for now.
    let purchaseDate: Int64?
    let period: BillingPeriod?
    let subscriptionGroupIdentifier: String?
    let offer: Offer?
    /// Seats for several people, whose quantity and price hold then.
    let seats: SeatOrder?
    /// `MONTHLY` begins a commitment of 12 months.
    let billingPlanType: String?
    let askToBuy: Bool?
    /// False if the app's server is not to be told.
    let notify: Bool?
    let appReceipt: Bool?
    let transactionReceipt: Bool?

    /// The purchase, if Apple could have made it.
    func order(
        type: String,
        at now: Timestamp,
        chance: Chance
    ) throws(Problem) -> SaleRepository.PurchaseOrder {
        if let flaw = flaw(of: type, at: now) { throw Problem(flaw) }
        var purchase = SimulatedPurchase(bundleId: bundleId.rawValue, productId: productId.rawValue)
        purchase.type = type
        purchase.environment = environment ?? purchase.environment
        purchase.quantity = quantity ?? purchase.quantity
        purchase.price = price ?? purchase.price
        purchase.currency = currency ?? purchase.currency
        purchase.purchaseDate = purchaseDate
        purchase.appAccountToken = appAccountToken
        purchase.appTransactionId = Account.appTransactionId(
            of: account ?? chance.newUUID(),
            bundleId: purchase.bundleId,
            environment: purchase.environment
        )
        add(offer, to: &purchase)
        guard type == "Auto-Renewable Subscription" else {
            return SaleRepository.PurchaseOrder(purchase: purchase, period: nil)
        }
        let period = period ?? .month
        purchase.expiresDate = period.end(from: purchaseDate ?? now.milliseconds)
        purchase.subscriptionGroupIdentifier = subscriptionGroupIdentifier ?? "20000001"
        if let seats {
            purchase.quantity = seats.quantity
            purchase.price = seats.averagePrice
            purchase.multiSeatInfo = seats.multiSeatInfo
        }
        purchase.billingPlanType = billingPlanType
        if billingPlanType == Commitment.plan {
            let start = purchaseDate ?? now.milliseconds
            purchase.commitmentInfo = Commitment.begun(at: start, period: period, price: purchase.price)
        }
        return SaleRepository.PurchaseOrder(purchase: purchase, period: period)
    }

    private func add(_ offer: Offer?, to purchase: inout SimulatedPurchase) {
        guard let offer else { return }
        purchase.offerType = offer.type
        purchase.offerIdentifier = offer.identifier
        purchase.offerDiscountType = offer.discountType
        purchase.offerPeriod = offer.period
        if offer.discountType == "FREE_TRIAL" { purchase.price = 0 }
    }

    /// Names the first member with which Apple could not have made the purchase.
    private func flaw(of type: String, at now: Timestamp) -> String? {
        func isNone(of known: [String]) -> String { "is none of \(known.joined(separator: ", "))" }
        let latest = now.milliseconds
        let isKnownPlan = billingPlanType.map { Self.billingPlans.contains($0) } ?? true
        let seatsFlaw = seats?.flaw
        let rules = [
            (Self.types.contains(type), "type \(isNone(of: Self.types))"),
            (
                environment.map(Self.environments.contains) ?? true,
                "environment \(isNone(of: Self.environments))"
            ),
            ((1...1_000).contains(quantity ?? 1), "quantity is not between 1 and 1000"),
            ((0...Self.maximumPrice).contains(price ?? 0), "price is not between 0 and \(Self.maximumPrice)"),
            ((0...latest).contains(purchaseDate ?? 0), "purchaseDate is not between 0 and \(latest)"),
            (appAccountToken.map { UUID(uuidString: $0) != nil } ?? true, "appAccountToken is not a UUID"),
            ((currency ?? "USD").wholeMatch(of: /[A-Z]{3}/) != nil, "currency is not an ISO 4217 code"),
            (seatsFlaw == nil, seatsFlaw ?? ""),
            (isKnownPlan, "billingPlanType \(isNone(of: Self.billingPlans))"),
            ((1...Self.maximumCount).contains(count ?? 1), "count is not between 1 and \(Self.maximumCount)"),
        ]
        return rules.first { isRight, _ in !isRight }?.1
    }
}
