import AppStore
import Contracts
import ReceiptsCore

/// Turns a server notification into what Apple says with it.
protocol ServerNotificationReader: Sendable {
    /// What is said in `signedPayload`; `now` counts where it does not say when it was signed.
    func notification(in signedPayload: String, now: Timestamp) throws(NotificationFailure) -> ServerNotification
}

/// Reads notifications by Apple's signatures.
struct AppStoreNotificationReader: ServerNotificationReader {
    private let verifier: NotificationVerifier

    init(_ verifiers: AppleVerifiers) { verifier = verifiers.notifications }

    /// Trusts Apple's roots and, in a test home, the DER of others.
    init(extraRoots: [[UInt8]]) { self.init(AppleVerifiers(extraRoots: extraRoots)) }

    func notification(in signedPayload: String, now: Timestamp) throws(NotificationFailure) -> ServerNotification {
        do {
            return ServerNotification(try verifier.verify(signedPayload, now: now))
        } catch {
            throw NotificationFailure(error)
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

extension NotificationFailure {
    /// A flaw inside a notification leaves the notification itself genuine.
    fileprivate init(_ failure: VerificationFailure) {
        let proof = ProofFailure(failure.reason)
        self =
            if failure.item != nil || proof == .unreadable {
                .unreadable(proof.rawValue)
            } else if proof.verdict == .invalid {
                .notGenuine(proof)
            } else {
                .notTrusted(proof)
            }
    }
}
