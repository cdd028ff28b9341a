import AppStore
import Contracts

protocol ServerNotificationReader: Sendable {
    /// The content of `signedPayload`; `now` replaces a missing signing time.
    func notification(
        in signedPayload: String,
        now: Timestamp
    ) throws(NotificationFailure) -> ServerNotification
}

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
            bundleId: notification.bundleId,
            appAppleId: notification.appAppleId,
            environment: notification.environment,
            transaction: notification.transaction
        )
    }
}
