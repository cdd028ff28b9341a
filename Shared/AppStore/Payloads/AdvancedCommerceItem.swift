package import Contracts

/// One thing sold through the Advanced Commerce API.
///
/// Refunds and the revocation stand in a transaction's items, the price increase in a renewal's.
package struct AdvancedCommerceItem: Codable, Hashable, Sendable {
    /// Money that was given back for an item.
    package struct Refund: Codable, Hashable, Sendable {
        package var refundAmount: Int64?
        package var refundDate: Milliseconds?
        package var refundReason: String?
        package var refundType: String?
    }

    /// A lower price for some time.
    package struct Offer: Codable, Hashable, Sendable {
        package var period: String?
        package var periodCount: Int?
        package var price: Int64?
        package var reason: String?
    }

    /// A price that will rise.
    package struct PriceIncrease: Codable, Hashable, Sendable {
        package var dependentSKUs: [String]?
        package var price: Int64?
        package var status: String?
    }

    package var sku: String?
    package var description: String?
    package var displayName: String?
    package var offer: Offer?
    package var price: Int64?
    package var refunds: [Refund]?
    package var revocationDate: Milliseconds?
    package var priceIncreaseInfo: PriceIncrease?

    private enum CodingKeys: String, CodingKey {
        case sku = "SKU"
        case description, displayName, offer, price, refunds, revocationDate, priceIncreaseInfo
    }
}
