/// A notification from Apple's history, delivered or not.
///
/// - Sent by: receipts
/// - Received by: receipts (partition of `identifier`)
package struct ServerNotificationRecoveredV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.servernotification.recovered.v1"

    /// Apple's `notificationUUID`.
    package var identifier: String
    /// A compact JWS, as Apple first sent it.
    package var signedPayload: String
}
