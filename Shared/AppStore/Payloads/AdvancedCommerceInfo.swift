/// What Apple says of a sale through the Advanced Commerce API (`advancedCommerceInfo`).
///
/// Taxes stand in a transaction's, the consistency token in a renewal's. Money is milliunits of the
/// currency of the payload around it.
package struct AdvancedCommerceInfo: Codable, Hashable, Sendable {
    /// What the customer sees.
    package struct Descriptors: Codable, Hashable, Sendable {
        package var description: String?
        package var displayName: String?
    }

    package var descriptors: Descriptors?
    package var items: [AdvancedCommerceItem]?
    package var period: String?
    package var requestReferenceId: String?
    package var taxCode: String?
    package var estimatedTax: Int64?
    package var taxExclusivePrice: Int64?
    /// A decimal fraction, as text.
    package var taxRate: String?
    package var consistencyToken: String?
}
