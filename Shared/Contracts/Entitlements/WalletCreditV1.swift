/// Adds an amount that a buyer earned and did not buy.
///
/// - Sent by: gateway
/// - Received by: entitlements
package struct WalletCreditV1: RequestContract, Hashable {
    package typealias Reply = WalletEntryV1

    package static let type: EventType = "counterfoil.wallet.credit.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    package var entitlement: String
    /// At least 1.
    package var amount: Int64
    /// The caller's `Idempotency-Key`; the same key with other content is refused.
    package var idempotencyKey: String
    /// Names the account from which the amount comes.
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
