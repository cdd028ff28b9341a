/// What a buyer agrees to.
package struct ConsentV1: Codable, Hashable, Sendable {
    package var buyerId: BuyerID
    /// Whether Apple may be told what the buyer has used of a purchase.
    package var consumption: Bool
}
