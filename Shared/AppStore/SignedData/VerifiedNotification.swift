package import Contracts

/// A notification that Apple signed, and the signed items in it, each checked by itself; only the verifier
/// makes one.
///
/// It says that Apple speaks, not to whom: `require` asks for that.
package struct VerifiedNotification: Sendable {
    /// What was signed, as far as this program knows the fields.
    package let payload: NotificationPayload
    /// The JSON that was signed, byte for byte, the inner items still as JWS.
    package let json: [UInt8]
    /// Tells one notification from another; a delivery that is repeated has the same.
    package let notificationUUID: String
    /// `SUBSCRIBED`, `DID_RENEW`, `REFUND`, …, or newer.
    package let type: String
    /// The moment of the signature; that of the check where Apple does not say.
    package let signedDate: Timestamp
    /// The transaction it is about.
    package let transaction: VerifiedTransaction?
    /// What follows for the subscription; absent for what does not renew.
    package let renewalInfo: RenewalInfoPayload?
    /// The account's copy of the app, with `RESCIND_CONSENT`.
    package let appTransaction: AppTransactionPayload?

    /// What happened more closely, for types that say so.
    package var subtype: String? { payload.subtype }
    /// Where it happened, as the notification says.
    package var environment: Environment? { payload.origin.environment }
    /// The app's bundle id, as the notification says.
    package var bundleId: String? { payload.origin.bundleId }
    /// The app's number in the App Store; absent from some of the sandbox's.
    package var appAppleId: Int64? { payload.origin.appAppleId }

    /// Refuses a notification of another app or environment, and one whose inner items are.
    package func require(_ expectation: ExpectedOrigin) throws(VerificationFailure) {
        try expectation.check(payload.origin)
        try Self.require(expectation, transaction?.transaction.origin, of: .signedTransactionInfo)
        try Self.require(expectation, renewalInfo?.origin, of: .signedRenewalInfo)
        try Self.require(expectation, appTransaction?.origin, of: .signedAppTransactionInfo)
    }

    private static func require(
        _ expectation: ExpectedOrigin,
        _ origin: SignedOrigin?,
        of item: SignedItem
    ) throws(VerificationFailure) {
        guard let origin else { return }
        do throws(VerificationFailure) {
            try expectation.check(origin)
        } catch {
            throw error.inside(item)
        }
    }
}
