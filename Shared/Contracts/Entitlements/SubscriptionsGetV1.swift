/// Reads the subscriptions of a buyer.
///
/// - Sent by: gateway
/// - Received by: entitlements
package struct SubscriptionsGetV1: RequestContract, Hashable {
    package static let type: EventType = "counterfoil.subscriptions.get.v1"
    package typealias Reply = SubscriptionsV1

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment

    package init(bundleId: BundleID, buyerId: BuyerID, environment: Environment) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
    }
}

extension SubscriptionsGetV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        environment = try json.member("environment", value?.environment)
        try json.close()
    }
}
