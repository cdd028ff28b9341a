/// Gives back what a buyer spent; a spend is given back once.
///
/// - Sent by: gateway
/// - Received by: entitlements
package struct SpendReverseV1: RequestContract, Hashable {
    package typealias Reply = WalletEntryV1

    package static let type: EventType = "counterfoil.spend.reverse.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    /// The spend's entry.
    package var entryId: String
    /// The caller's `Idempotency-Key`; the same key for another spend is refused.
    package var idempotencyKey: String
}
