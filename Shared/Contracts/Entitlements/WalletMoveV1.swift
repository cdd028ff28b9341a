/// Takes an amount from what a buyer holds, if there is enough, or adds one that was earned and not bought.
///
/// - Sent by: gateway
/// - Received by: entitlements
package struct WalletMoveV1: RequestContract, Hashable {
    package typealias Reply = WalletEntryV1

    /// Which way the amount goes.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// From the buyer.
        case spend
        /// To the buyer.
        case credit
    }

    package static let type: EventType = "counterfoil.wallet.move.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    package var kind: Kind
    package var entitlement: String
    /// At least 1.
    package var amount: Int64
    /// The caller's `Idempotency-Key`; the same key with other content of this kind is refused.
    package var idempotencyKey: String
    /// Names the account to which the amount goes, or from which it comes.
    package var reason: String? = nil
    package var metadata: [String: JSONValue]? = nil
}
