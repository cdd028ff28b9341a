/// What a buyer holds in one environment.
package struct EntitlementsV1: Codable, Hashable, Sendable, DirectlyCoded {
    /// An entitlement that is owned, not counted.
    package struct Possession: Codable, Hashable, Sendable, DirectlyCoded {
        package var entitlement: String
        package var productId: ProductID
        package var since: Timestamp
        package var expires: Timestamp? = nil
    }

    package var buyerId: BuyerID
    package var environment: Environment
    package var balances: [String: Int64]
    package var entitlements: [Possession]
}
