/// Apple delivers an App Store Server Notification, version 2.
///
/// - Sent by: gateway, operator
/// - Received by: receipts (partition of `identifier`)
package struct ServerNotificationDeliverV1: RequestContract, Hashable {
    package typealias Reply = ServerNotificationDeliveredV1

    package static let type: EventType = "counterfoil.servernotification.deliver.v1"

    /// Its unique key, as far as readable before the signature is checked.
    package var identifier: String
    /// A compact JWS, unchanged.
    package var signedPayload: String
}
