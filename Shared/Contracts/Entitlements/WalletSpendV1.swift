/// Takes an amount from what a buyer holds, if there is enough.
///
/// - Sent by: gateway
/// - Received by: entitlements
package struct WalletSpendV1: RequestContract, Hashable {
    package typealias Reply = WalletEntryV1

    package static let type: EventType = "counterfoil.wallet.spend.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    package var entitlement: String
    /// At least 1.
    package var amount: Int64
    /// The caller's `Idempotency-Key`; the same key with other content is refused.
    package var idempotencyKey: String
    /// Names the account to which the amount goes.
    package var reason: String?
    package var metadata: [String: JSONValue]?

    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        entitlement: String,
        amount: Int64,
        idempotencyKey: String,
        reason: String? = nil,
        metadata: [String: JSONValue]? = nil
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.entitlement = entitlement
        self.amount = amount
        self.idempotencyKey = idempotencyKey
        self.reason = reason
        self.metadata = metadata
    }
}
