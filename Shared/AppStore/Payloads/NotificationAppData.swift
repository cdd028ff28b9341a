/// A notification's `appData`: it is about the app on one account, as with `RESCIND_CONSENT`.
package struct NotificationAppData: Codable, Hashable, Sendable {
    package var environment: String?
    package var appAppleId: Int64?
    package var bundleId: String?
    /// A JWS of its own, which the notification's signature does not vouch for.
    package var signedAppTransactionInfo: String?

    var origin: SignedOrigin {
        SignedOrigin(.notification, bundleId: bundleId, appAppleId: appAppleId, environment: environment)
    }
}
