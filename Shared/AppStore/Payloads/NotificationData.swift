/// A notification's `data`: it is about one purchase or subscription.
package struct NotificationData: Codable, Hashable, Sendable {
    package var environment: String?
    /// Absent from tests in the sandbox.
    package var appAppleId: Int64?
    package var bundleId: String?
    package var bundleVersion: String?
    /// A JWS of its own, which the notification's signature does not vouch for.
    package var signedTransactionInfo: String?
    /// A JWS of its own; absent for what does not renew.
    package var signedRenewalInfo: String?
    /// 1: active, 2: expired, 3: billing retry, 4: grace period, 5: revoked.
    package var status: Int?
    /// Why a refund is asked for, with `CONSUMPTION_REQUEST`.
    package var consumptionRequestReason: String?

    var origin: SignedOrigin {
        SignedOrigin(.notification, bundleId: bundleId, appAppleId: appAppleId, environment: environment)
    }
}
