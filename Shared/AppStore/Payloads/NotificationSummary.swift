/// A notification's `summary`: how a mass extension of renewal dates went.
package struct NotificationSummary: Codable, Hashable, Sendable {
    package var environment: String?
    package var appAppleId: Int64?
    package var bundleId: String?
    package var productId: String?
    package var requestIdentifier: String?
    package var storefrontCountryCodes: [String]?
    package var succeededCount: Int64?
    package var failedCount: Int64?

    var origin: SignedOrigin {
        SignedOrigin(.notification, bundleId: bundleId, appAppleId: appAppleId, environment: environment)
    }
}
