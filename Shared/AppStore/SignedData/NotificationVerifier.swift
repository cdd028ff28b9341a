package import Contracts

/// Checks App Store Server Notifications: the notification, then each signed item in it by itself.
package struct NotificationVerifier: Sendable {
    private let verifier: SignedDataVerifier

    package init(extraRoots: [[UInt8]] = []) { verifier = SignedDataVerifier(extraRoots: extraRoots) }

    package var chainsInUse: [VerifiedChain] { verifier.chainsInUse }

    /// The notification in `jws` (`signedPayload` of what Apple posts), whichever app it is for.
    ///
    /// - Throws: the first failure; its `item` says if it lies in a signed item inside.
    package func verify(_ jws: String, now: Timestamp) throws(VerificationFailure) -> VerifiedNotification {
        let outer: VerifiedPayload<NotificationPayload> = try verifier.payload(Array(jws.utf8), now: now)
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
        return try item.checking { () throws(VerificationFailure) in
            try verifier.verify(Array(jws.utf8), now: now)
        }
    }

    private static func present(_ value: String?, _ name: String) throws(VerificationFailure) -> String {
        guard let value else { throw VerificationFailure(.malformed, "the field \(name) is missing") }
        return value
    }
}

/// A notification that Apple signed, and the signed items in it, each checked by itself; only the verifier makes one.
///
/// It is Apple's; to whom it was sent, `require` checks.
package struct VerifiedNotification: Sendable {
    /// What was signed, as far as this program knows the fields.
    package let payload: NotificationPayload
    /// The JSON that was signed, byte for byte, the inner items still as JWS.
    package let json: [UInt8]
    /// Tells one notification from another; a delivery that is repeated has the same.
    package let notificationUUID: String
    /// `SUBSCRIBED`, `DID_RENEW`, `REFUND`, …, or newer.
    package let type: String
    /// When it was signed; when it was checked, where Apple does not say.
    package let signedDate: Timestamp
    package let transaction: VerifiedTransaction?
    /// How the subscription goes on; absent for what does not renew.
    package let renewalInfo: RenewalInfoPayload?
    /// The account's copy of the app, with `RESCIND_CONSENT`.
    package let appTransaction: AppTransactionPayload?

    package var subtype: String? { payload.subtype }
    package var environment: Environment? { payload.origin.environment }
    package var bundleId: String? { payload.origin.bundleId }
    /// The app's number in the App Store; absent from some of the sandbox's.
    package var appAppleId: Int64? { payload.origin.appAppleId }

    /// Refuses a notification of another app or environment, and one whose inner items are.
    package func require(_ expectation: ExpectedOrigin) throws(VerificationFailure) {
        try expectation.check(payload.origin)
        let items: [(SignedItem, SignedOrigin?)] = [
            (.signedTransactionInfo, transaction?.transaction.origin),
            (.signedRenewalInfo, renewalInfo?.origin),
            (.signedAppTransactionInfo, appTransaction?.origin),
        ]
        for case (let item, let origin?) in items {
            try item.checking { () throws(VerificationFailure) in try expectation.check(origin) }
        }
    }
}
