package import Contracts

/// A notification's `externalPurchaseToken`: a purchase outside the App Store that is to be reported.
package struct ExternalPurchaseToken: Codable, Hashable, Sendable {
    private static let sandboxPrefix = "SANDBOX"

    package var externalPurchaseId: String?
    package var tokenCreationDate: Milliseconds?
    package var tokenExpirationDate: Milliseconds?
    /// `SERVICES`, `ACQUISITION`, or newer.
    package var tokenType: String?
    package var appAppleId: Int64?
    package var bundleId: String?

    /// It names no environment; the beginning of its id does.
    var origin: SignedOrigin {
        let environment: Environment? = externalPurchaseId.map {
            $0.hasPrefix(Self.sandboxPrefix) ? .sandbox : .production
        }
        return SignedOrigin(
            .notification,
            bundleId: bundleId,
            appAppleId: appAppleId,
            environment: environment?.rawValue
        )
    }
}
