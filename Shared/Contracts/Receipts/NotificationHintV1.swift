/// Somebody who may be Apple says that something happened to a purchase: a notification of version 1, which is not
/// signed and so is nothing but a reason to ask.
///
/// - Sent by: gateway
/// - Received by: receipts (partition of `originalTransactionId`)
package struct NotificationHintV1: Request, Hashable {
    package typealias Reply = NotificationHintedV1

    package static let type: EventType = "counterfoil.notification.hint.v1"

    package var bundleId: BundleID
    package var environment: Environment
    package var originalTransactionId: TransactionID
    /// The app's shared secret, which Apple writes into its body; never logged.
    package var password: String?

    package init(
        bundleId: BundleID,
        environment: Environment,
        originalTransactionId: TransactionID,
        password: String? = nil
    ) {
        self.bundleId = bundleId
        self.environment = environment
        self.originalTransactionId = originalTransactionId
        self.password = password
    }
}
