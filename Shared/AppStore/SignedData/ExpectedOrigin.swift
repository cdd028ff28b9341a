package import Contracts

/// The app and environment that signed data has to name; nil accepts any.
package struct ExpectedOrigin: Hashable, Sendable {
    package var bundleId: String?
    package var appAppleId: Int64?
    package var environments: Set<Environment>?

    package init(
        bundleId: String? = nil,
        appAppleId: Int64? = nil,
        environments: Set<Environment>? = nil
    ) {
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environments = environments
    }

    /// Refuses another or absent app or, after that, environment; skips an app id that the kind never names, and
    /// one that is absent outside production.
    package func check(_ origin: SignedOrigin) throws(VerificationFailure) {
        if let bundleId, origin.kind.namesBundleID, origin.bundleId != bundleId {
            throw VerificationFailure(.wrongApp, "signed for another bundle id than \(bundleId)")
        }
        if let appAppleId, origin.kind.namesAppAppleID, origin.appAppleId != appAppleId,
            origin.appAppleId != nil || origin.environment == .production
        {
            throw VerificationFailure(.wrongApp, "signed for another app than \(appAppleId)")
        }
        guard let environments else { return }
        if let signed = origin.environment, environments.contains(signed) { return }
        let expected = environments.map(\.rawValue).sorted().joined(separator: " or ")
        throw VerificationFailure(.wrongEnvironment, "signed in another environment than \(expected)")
    }
}
