import AppStoreSigning
import Contracts
import Foundation
import HTTPTypes

/// `POST /_control/purchases`: what is bought, and how often.
struct PurchaseRequest: Decodable {
    /// Purchases made by one request, at most.
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
    /// Whether a parent has to approve before anything is bought.
    let askToBuy: Bool?
    /// False if the app's server is not to be told.
    let notify: Bool?
    /// Whether the buyer's app receipt is wanted too.
    let appReceipt: Bool?
    /// Whether each transaction's receipt of iOS 6 is wanted too.
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
        purchase.appAccountToken = try validToken()
        purchase.currency = try validCurrency() ?? purchase.currency
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

    private func validToken() throws(Problem) -> String? {
        guard let appAccountToken else { return nil }
        guard UUID(uuidString: appAccountToken) != nil else { throw Problem("appAccountToken is not a UUID") }
        return appAccountToken
    }

    private func validCurrency() throws(Problem) -> String? {
        guard let currency else { return nil }
        let letters = currency.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        guard letters, currency.utf8.count == 3 else { throw Problem("currency is not an ISO 4217 code") }
        return currency
    }

    func validCount() throws(Problem) -> Int { try Self.number("count", count, 1...Self.maximumCount) ?? 1 }

    private static func one(
        of known: [String],
        _ field: String,
        _ value: String?
    ) throws(Problem) -> String? {
        guard let value else { return nil }
        guard known.contains(value) else {
            throw Problem("\(field) is none of \(known.joined(separator: ", "))")
        }
        return value
    }

    private static func number<Number: Comparable>(
        _ field: String,
        _ value: Number?,
        _ range: ClosedRange<Number>
    ) throws(Problem) -> Number? {
        guard let value else { return nil }
        guard range.contains(value) else {
            throw Problem("\(field) is not between \(range.lowerBound) and \(range.upperBound)")
        }
        return value
    }
}
