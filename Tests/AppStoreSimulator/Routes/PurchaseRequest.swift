import AppStoreSigning
import Contracts
import Foundation
import HTTPTypes

/// `POST /_control/purchases`: what is bought, and how often.
struct PurchaseRequest: Decodable {
    static let maximumCount = 1_000

    static let types = [
        "Consumable", "Non-Consumable", "Auto-Renewable Subscription", "Non-Renewing Subscription",
    ]
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
        var purchase = SimulatedPurchase(bundleId: bundleId.rawValue, productId: productId.rawValue)
        purchase.type = try Self.one(of: Self.types, "type", type) ?? purchase.type
        purchase.environment =
            try Self.one(of: Self.environments, "environment", environment) ?? purchase.environment
        purchase.quantity = try Self.number("quantity", quantity, 1...1_000) ?? purchase.quantity
        purchase.price = try Self.number("price", price, 0...Int64(1_000_000_000_000)) ?? purchase.price
        purchase.purchaseDate = try Self.number("purchaseDate", purchaseDate, 0...now.milliseconds)
        purchase.appAccountToken = try Self.checked(appAccountToken, "appAccountToken is not a UUID") {
            UUID(uuidString: $0) != nil
        }
        let currency = try Self.checked(currency, "currency is not an ISO 4217 code") {
            $0.wholeMatch(of: /[A-Z]{3}/) != nil
        }
        purchase.currency = currency ?? purchase.currency
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

    func validCount() throws(Problem) -> Int { try Self.number("count", count, 1...Self.maximumCount) ?? 1 }

    private static func one(of known: [String], _ field: String, _ value: String?) throws(Problem) -> String?
    {
        try checked(value, "\(field) is none of \(known.joined(separator: ", "))", known.contains)
    }

    private static func number<Number: Comparable>(
        _ field: String,
        _ value: Number?,
        _ range: ClosedRange<Number>
    ) throws(Problem) -> Number? {
        let complaint = "\(field) is not between \(range.lowerBound) and \(range.upperBound)"
        return try checked(value, complaint, range.contains)
    }

    private static func checked<Value>(
        _ value: Value?,
        _ complaint: String,
        _ isRight: (Value) -> Bool
    ) throws(Problem) -> Value? {
        guard let value else { return nil }
        guard isRight(value) else { throw Problem(complaint) }
        return value
    }
}
