package import Contracts

/// Checks App Store Server Notifications: the notification, then each signed item in it by itself.
package struct NotificationVerifier: Sendable {
    private let verifier: SignedDataVerifier

    package init(extraRoots: [[UInt8]] = []) { verifier = SignedDataVerifier(extraRoots: extraRoots) }

    /// The chains that verified lately, to be asked about by a `RevocationChecker`.
    package var chainsInUse: [CheckedChain] { verifier.chainsInUse }

    /// The notification in `jws` (`signedPayload` of what Apple posts), whichever app it is for.
    ///
    /// - Throws: the first failure; its `item` says if it lies in a signed item inside.
    package func verify(_ jws: String, now: Timestamp) throws(VerificationFailure) -> VerifiedNotification {
        let outer: GenuineData<NotificationPayload> = try verifier.genuine(Array(jws.utf8), now: now)
        let payload = outer.payload
        let transaction: SignedTransaction? = try inner(.signedTransactionInfo, of: payload, now)
        return VerifiedNotification(
            payload: payload,
            json: outer.json,
            notificationUUID: try Self.present(payload.notificationUUID, "notificationUUID"),
            type: try Self.present(payload.notificationType, "notificationType"),
            signedDate: payload.signingTime ?? now,
            transaction: transaction.map(VerifiedTransaction.init),
            renewalInfo: try inner(.signedRenewalInfo, of: payload, now),
            appTransaction: try inner(.signedAppTransactionInfo, of: payload, now)
        )
    }

    private func inner<Payload: SignedPayload>(
        _ item: SignedItem,
        of notification: NotificationPayload,
        _ now: Timestamp
    ) throws(VerificationFailure) -> Payload? {
        guard let jws = notification.signed(item) else { return nil }
        do throws(VerificationFailure) {
            return try verifier.verify(Array(jws.utf8), now: now)
        } catch {
            throw error.inside(item)
        }
    }

    private static func present(_ value: String?, _ name: String) throws(VerificationFailure) -> String {
        guard let value else { throw VerificationFailure(.malformed, "the field \(name) is missing") }
        return value
    }
}
