/// What a buyer holds in one environment.
package struct EntitlementsV1: Codable, Hashable, Sendable {
    /// An entitlement that is owned, not counted.
    package struct Possession: Codable, Hashable, Sendable {
        package var entitlement: String
        package var productId: ProductID
        package var since: Timestamp
        package var expires: Timestamp?

        package init(entitlement: String, productId: ProductID, since: Timestamp, expires: Timestamp? = nil) {
            self.entitlement = entitlement
            self.productId = productId
            self.since = since
            self.expires = expires
        }
    }

    package var buyerId: BuyerID
    package var environment: Environment
    package var balances: [String: Int64]
    package var entitlements: [Possession]

    package init(
        buyerId: BuyerID,
        environment: Environment,
        balances: [String: Int64],
        entitlements: [Possession]
    ) {
        self.buyerId = buyerId
        self.environment = environment
        self.balances = balances
        self.entitlements = entitlements
    }
}

extension EntitlementsV1: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        buyerId = try json.member("buyerId", value?.buyerId)
        environment = try json.member("environment", value?.environment)
        balances = try json.member("balances", value?.balances)
        entitlements = try json.member("entitlements", value?.entitlements)
        try json.close()
    }
}

extension EntitlementsV1.Possession: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        entitlement = try json.member("entitlement", value?.entitlement)
        productId = try json.member("productId", value?.productId)
        since = try json.member("since", value?.since)
        expires = try json.optional("expires", value?.expires)
        try json.close()
    }
}
