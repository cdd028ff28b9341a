package import Contracts

/// A notification that Apple signed, whichever app it is for, with its checked items.
package struct VerifiedServerNotification: Sendable {
    package let payload: ServerNotificationPayload
    /// Identifies a notification; a repeated delivery has the same.
    package let notificationUUID: String
    /// `SUBSCRIBED`, `DID_RENEW`, `REFUND`, …, or newer.
    package let type: String
    /// The time of the check, if Apple names none.
    package let signedDate: Timestamp
    package let transaction: SignedTransaction?
    package let renewalInfo: RenewalInfoPayload?
    /// Only with `RESCIND_CONSENT`.
    package let appTransaction: AppTransactionPayload?

    package var subtype: String? { payload.subtype }
    package var environment: Environment? { payload.origin.environment }
    package var bundleId: String? { payload.origin.bundleId }
    /// The app's number in the App Store; absent from some sandbox notifications.
    package var appAppleId: Int64? { payload.origin.appAppleId }
}
