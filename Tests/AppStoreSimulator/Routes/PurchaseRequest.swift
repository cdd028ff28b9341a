import AppStoreSigning
import Contracts
import Foundation
import HTTPTypes

/// `POST /_control/purchases`: what is bought, and how often.
struct PurchaseRequest: Decodable {
    /// Purchases made by one request, at most.
    static let maximumCount = 1_000

    private static let types = [
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

    /// The purchase, if Apple could have made it.
    func purchase() throws(Problem) -> SimulatedPurchase {
        var purchase = SimulatedPurchase(bundleId: bundleId.rawValue, productId: productId.rawValue)
        purchase.type = try Self.one(of: Self.types, "type", type) ?? purchase.type
        purchase.environment =
            try Self.one(of: Self.environments, "environment", environment) ?? purchase.environment
        purchase.quantity = try Self.number("quantity", quantity, 1...1_000) ?? purchase.quantity
        purchase.price = try Self.number("price", price, 0...Int64(1_000_000_000_000)) ?? purchase.price
        if let appAccountToken {
            guard UUID(uuidString: appAccountToken) != nil else {
                throw Problem("appAccountToken is not a UUID")
            }
            purchase.appAccountToken = appAccountToken
        }
        if let currency {
            let letters = currency.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            guard letters, currency.utf8.count == 3 else { throw Problem("currency is not an ISO 4217 code") }
            purchase.currency = currency
        }
        return purchase
    }

    /// How often the purchase is made.
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
