import AppStore
import Contracts
import ReceiptsCore

/// Verifies server notifications.
protocol ServerNotificationReader: Sendable {
    /// What is in `signedPayload`; `now` stands in where it does not say when it was signed.
    func notification(
        in signedPayload: String,
        now: Timestamp
    ) throws(NotificationFailure) -> ServerNotification
}

/// Reads notifications by Apple's signatures.
struct AppStoreNotificationReader: ServerNotificationReader {
    let verifier: NotificationVerifier

    func notification(
        in signedPayload: String,
        now: Timestamp
    ) throws(NotificationFailure) -> ServerNotification {
        do {
            return ServerNotification(try verifier.verify(signedPayload, now: now))
        } catch {
            throw NotificationFailure(ProofFailure(error.reason), isInside: error.item != nil)
        }
    }
}

extension ServerNotification {
    fileprivate init(_ notification: VerifiedNotification) {
        self.init(
            notificationUUID: notification.notificationUUID,
            type: notification.type,
            subtype: notification.subtype,
            signedDate: notification.signedDate,
            bundleId: notification.bundleId,
            appAppleId: notification.appAppleId,
            environment: notification.environment,
            transaction: notification.transaction?.transaction
        )
    }
}
