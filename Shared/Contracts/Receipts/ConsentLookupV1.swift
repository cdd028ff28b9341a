/// A parent has withdrawn consent: who has bought with this Apple Account is looked for in every partition.
///
/// - Sent by: receipts (partition of the notification)
/// - Received by: receipts (all partitions)
package struct ConsentLookupV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.consent.lookup.v1"

    /// Apple's id of the notification.
    package var notificationUUID: String
    package var bundleId: BundleID
    package var environment: Environment
    /// Apple's id of the app on one account.
    package var appTransactionId: String
    /// Time of Apple's signature.
    package var rescindedAt: Timestamp
    /// Whether the app's server is told even if no buyer is found.
    package var isAlwaysTold: Bool
}
