import Contracts

/// A request that takes an amount from a buyer's balance, or adds one to it.
protocol WalletMovement: Contract {
    /// Whether it adds.
    static var isCredit: Bool { get }
    var bundleId: BundleID { get }
    var buyerId: BuyerID { get }
    var environment: Environment { get }
    var entitlement: String { get }
    var amount: Int64 { get }
    var idempotencyKey: String { get set }
    var reason: String? { get }
    var metadata: [String: JSONValue]? { get }
}

extension WalletSpendV1: WalletMovement {
    static let isCredit = false
}

extension WalletCreditV1: WalletMovement {
    static let isCredit = true
}
