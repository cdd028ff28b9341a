package import Contracts

/// A sale through the Advanced Commerce API; money is milliunits of the payload's currency.
package struct AdvancedCommerceInfo: Codable, Hashable, Sendable {
    package var descriptors: Descriptors?
    package var items: [Item]?
    package var period: String?
    package var requestReferenceId: String?
    package var taxCode: String?
    package var estimatedTax: Int64?
    package var taxExclusivePrice: Int64?
    /// A decimal fraction, as text.
    package var taxRate: String?
    package var consistencyToken: String?

    /// What the customer sees.
    package struct Descriptors: Codable, Hashable, Sendable {
        package var description: String?
        package var displayName: String?
    }

    /// One thing sold; transactions have refunds and revocation, renewals the price increase.
    package struct Item: Codable, Hashable, Sendable {
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

    /// Money given back for an item.
    package struct Refund: Codable, Hashable, Sendable {
        package var refundAmount: Int64?
        package var refundDate: Milliseconds?
        package var refundReason: String?
        package var refundType: String?
    }

    /// A lower price for a limited time.
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
}
