package import Contracts

/// Checks App Store Server Notifications and each signed item in them.
package struct ServerNotificationVerifier: Sendable {
    private let verifier: SignedDataVerifier

    package init(extraRoots: [[UInt8]] = []) { verifier = SignedDataVerifier(extraRoots: extraRoots) }

    package var chainsInUse: [VerifiedChain] { verifier.chainsInUse }

    /// The notification in `jws`, whichever app it is for.
    ///
    /// - Throws: the first failure; its `item` names the signed item that failed.
    package func verify(
        _ jws: String,
        now: Timestamp
    ) throws(VerificationFailure) -> VerifiedServerNotification {
        let payload: ServerNotificationPayload = try verifier.verify(Array(jws.utf8), now: now)
        let transaction: SignedTransaction? = try inner(.signedTransactionInfo, of: payload, now)
        return VerifiedServerNotification(
            payload: payload,
            notificationUUID: try Self.present(payload.notificationUUID, "notificationUUID"),
            type: try Self.present(payload.notificationType, "notificationType"),
            signedDate: payload.signingTime ?? now,
            transaction: transaction,
            renewalInfo: try inner(.signedRenewalInfo, of: payload, now),
            appTransaction: try inner(.signedAppTransactionInfo, of: payload, now)
        )
    }

    private func inner<Payload: SignedPayload>(
        _ item: SignedItem,
        of notification: ServerNotificationPayload,
        _ now: Timestamp
    ) throws(VerificationFailure) -> Payload? {
        guard let jws = notification.signed(item) else { return nil }
        return try item.checking { () throws(VerificationFailure) in
            try verifier.verify(Array(jws.utf8), now: now)
        }
    }

    private static func present(_ value: String?, _ name: String) throws(VerificationFailure) -> String {
        guard let value else { throw VerificationFailure(.malformed, "the field \(name) is missing") }
        return value
    }
}
