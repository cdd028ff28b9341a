package import Contracts

/// The app and environment that signed data names.
package struct SignedOrigin: Hashable, Sendable {
    package let kind: SignedDataKind
    package let bundleId: String?
    package let appAppleId: Int64?
    package let environment: Environment?

    init(
        _ kind: SignedDataKind,
        bundleId: String? = nil,
        appAppleId: Int64? = nil,
        environment: String? = nil
    ) {
        self.kind = kind
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environment = environment.map(Environment.init(rawValue:))
    }
}

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

    /// Refuses another app or, after that, another environment; skips an app id that the kind never names.
    package func check(_ origin: SignedOrigin) throws(VerificationFailure) {
        if origin.kind.namesBundleID { try check(bundleId: origin.bundleId) }
        if origin.kind.namesAppAppleID { try check(appAppleId: origin.appAppleId, of: origin.environment) }
        try check(environment: origin.environment)
    }

    /// Refuses another or absent bundle id.
    package func check(bundleId signed: String?) throws(VerificationFailure) {
        guard let bundleId, signed != bundleId else { return }
        throw VerificationFailure(.wrongApp, "signed for another bundle id than \(bundleId)")
    }

    /// Refuses another or absent environment.
    package func check(environment signed: Environment?) throws(VerificationFailure) {
        guard let environments else { return }
        if let signed, environments.contains(signed) { return }
        let expected = environments.map(\.rawValue).sorted().joined(separator: " or ")
        throw VerificationFailure(.wrongEnvironment, "signed in another environment than \(expected)")
    }

    /// Refuses another number; it may be absent outside production.
    package func check(
        appAppleId signed: Int64?,
        of environment: Environment?
    ) throws(VerificationFailure) {
        guard let appAppleId, signed != appAppleId, signed != nil || environment == .production else {
            return
        }
        throw VerificationFailure(.wrongApp, "signed for another app than \(appAppleId)")
    }
}
