/// Apple delivers an App Store Server Notification, version 2.
///
/// - Sent by: gateway, operator
/// - Received by: receipts (partition of `identifier`)
package struct NotificationDeliverV1: Request, Hashable {
    package typealias Reply = NotificationDeliveredV1

    package static let type: EventType = "counterfoil.notification.deliver.v1"

    /// What tells it from others, as far as it can be read before its signature is checked.
    package var identifier: String
    /// The notification as it came: a compact JWS.
    package var signedPayload: String

    package init(identifier: String, signedPayload: String) {
        self.identifier = identifier
        self.signedPayload = signedPayload
    }
}
