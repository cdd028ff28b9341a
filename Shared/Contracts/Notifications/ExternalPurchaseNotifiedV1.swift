/// Apple speaks of the token of a purchase outside the App Store, which the app's server has to report to Apple.
///
/// Names and meanings are those of `externalPurchaseToken` in App Store Server Notifications, version 2.
///
/// - Sent by: receipts
/// - Received by: notifications; and as webhook, the app's own server
package struct ExternalPurchaseNotifiedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.externalpurchase.notified.v1"

    package var bundleId: BundleID
    package var environment: Environment
    /// Apple's id of the notification.
    package var notificationUUID: String
    /// Time of Apple's signature.
    package var notifiedAt: Timestamp
    /// `CREATED`, `ACTIVE_TOKEN_REMINDER`, `UNREPORTED`, or newer.
    package var subtype: String? = nil
    /// What the report to Apple names.
    package var externalPurchaseId: String
    /// `SERVICES`, `ACQUISITION`, or newer.
    package var tokenType: String? = nil
    package var tokenCreationDate: Timestamp? = nil
    package var tokenExpirationDate: Timestamp? = nil
}
