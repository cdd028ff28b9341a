/// A notification that stood in Apple's history, delivered or not.
///
/// - Sent by: receipts
/// - Received by: receipts (partition of `identifier`)
package struct NotificationRecoveredV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.notification.recovered.v1"

    /// Its `notificationUUID`.
    package var identifier: String
    /// The notification as Apple first sent it: a compact JWS.
    package var signedPayload: String

    package init(identifier: String, signedPayload: String) {
        self.identifier = identifier
        self.signedPayload = signedPayload
    }
}
