import Contracts

/// Which entitlement of which buyer.
struct HoldingKey: Codable, Hashable, Sendable {
    let bundleId: BundleID
    let buyerId: BuyerID
    let environment: Environment
    let entitlement: String

    init(_ bundle: BundleID, _ buyer: BuyerID, _ environment: Environment, _ entitlement: String) {
        (bundleId, buyerId) = (bundle, buyer)
        (self.environment, self.entitlement) = (environment, entitlement)
    }

    init(_ buyer: BuyerKey, _ entitlement: String) {
        self.init(buyer.bundleId, buyer.buyerId, buyer.environment, entitlement)
    }

    /// Whose entitlements it is one of.
    var buyer: BuyerKey { BuyerKey(bundleId, buyerId, environment) }
}
