package import Contracts

/// For which app, and in which environment, data was signed, as far as it says.
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

/// For whom signed data has to be; nil asks for nothing.
package struct ExpectedOrigin: Hashable, Sendable {
    package var bundleId: String?
    /// The app's number in the App Store.
    package var appAppleId: Int64?
    /// Any of these.
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

    /// Refuses what was signed for another app or, after that, in another environment.
    ///
    /// A kind that never names the app is not asked for it.
    package func check(_ origin: SignedOrigin) throws(VerificationFailure) {
        if origin.kind.namesBundleID { try check(bundleId: origin.bundleId) }
        if origin.kind.namesAppAppleID { try check(appAppleId: origin.appAppleId, of: origin.environment) }
        try check(environment: origin.environment)
    }

    /// Refuses another bundle id, or none.
    package func check(bundleId signed: String?) throws(VerificationFailure) {
        guard let bundleId, signed != bundleId else { return }
        throw VerificationFailure(.wrongApp, "signed for another bundle id than \(bundleId)")
    }

    /// Refuses another environment, or none.
    package func check(environment signed: Environment?) throws(VerificationFailure) {
        guard let environments else { return }
        if let signed, environments.contains(signed) { return }
        let expected = environments.map(\.rawValue).sorted().joined(separator: " or ")
        throw VerificationFailure(.wrongEnvironment, "signed in another environment than \(expected)")
    }

    /// Refuses another number; only in production must there be one.
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
