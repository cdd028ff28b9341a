/// An app's own token is registered for a buyer.
package struct TokenRegisteredV1: Codable, Hashable, Sendable {
    package var appAccountToken: String
    package var buyerId: BuyerID
}
