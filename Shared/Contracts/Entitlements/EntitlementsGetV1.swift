/// Asks what a buyer holds.
///
/// - Sent by: gateway
/// - Received by: entitlements
package struct EntitlementsGetV1: RequestContract, Hashable {
    package typealias Reply = EntitlementsV1

    package static let type: EventType = "counterfoil.entitlements.get.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment

    package init(bundleId: BundleID, buyerId: BuyerID, environment: Environment) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
    }
}

extension EntitlementsGetV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        environment = try json.member("environment", value?.environment)
        try json.close()
    }
}
