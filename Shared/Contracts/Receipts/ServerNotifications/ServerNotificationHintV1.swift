/// Reports a change of a purchase: a version 1 notification, unsigned and so only a reason to ask Apple.
///
/// - Sent by: gateway
/// - Received by: receipts (partition of `originalTransactionId`)
package struct ServerNotificationHintV1: RequestContract, Hashable {
    package typealias Reply = ServerNotificationHintedV1

    package static let type: EventType = "counterfoil.servernotification.hint.v1"

    package var bundleId: BundleID
    package var environment: Environment
    package var originalTransactionId: TransactionID
    /// The app's shared secret in Apple's request body; never logged.
    package var password: String? = nil
}
