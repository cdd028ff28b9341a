/// A parent has withdrawn consent to the app on one Apple Account: its service is to be stopped.
///
/// - Sent by: receipts
/// - Received by: notifications; and as webhook, the app's own server
package struct ConsentRescindedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.consent.rescinded.v1"

    package var bundleId: BundleID
    package var environment: Environment
    /// Apple's id of the app on one account, which StoreKit's transactions bear, too.
    package var appTransactionId: String
    /// Time of Apple's signature.
    package var rescindedAt: Timestamp
    /// Buyers who have bought with the account, of one partition; empty if none is known.
    package var buyerIds: [BuyerID]
}
