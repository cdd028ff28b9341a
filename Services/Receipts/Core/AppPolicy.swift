package import Contracts
package import Domain

/// What an app's operator wants to have taken.
package struct AppPolicy: Equatable, Sendable {
    /// Why a genuine transaction is parked.
    package enum Obstacle: String, CaseIterable, Sendable {
        /// No such app is configured.
        case unknownApp
        /// It was signed for another app than the one that hands it in.
        case wrongApp
        /// The app takes nothing from this environment.
        case wrongEnvironment
        /// The sandbox grants nothing to this buyer.
        case sandboxRefused
    }

    /// Apple's number for the app; nil: it is not compared.
    package let appAppleId: Int64?
    package let environments: Set<Environment>
    package let sandbox: SandboxPolicy
    /// Whom of Apple's may be asked about the app; in the order of `Authority`.
    package let authorities: [Authority]

    /// A policy by its parts.
    package init(
        appAppleId: Int64? = nil,
        environments: Set<Environment>,
        sandbox: SandboxPolicy,
        authorities: Set<Authority> = []
    ) {
        self.appAppleId = appAppleId
        self.environments = environments
        self.sandbox = sandbox
        self.authorities = Authority.allCases.filter(authorities.contains)
    }

    /// Whether Apple's number of an app is this app's; Apple sends none, or 0, for the sandbox.
    package func isOwn(_ appAppleId: Int64?) -> Bool {
        guard let own = self.appAppleId, let appAppleId, appAppleId != 0 else { return true }
        return appAppleId == own
    }

    /// What stands in the way of a transaction that a buyer of the app `bundleID` hands in; nil when nothing does.
    ///
    /// `appAppleId` is what its proof says, where it says so.
    package static func obstacle(
        _ facts: TransactionFacts,
        signedFor appAppleId: Int64? = nil,
        from submitter: BuyerID,
        of bundleID: BundleID,
        policy: AppPolicy?
    ) -> Obstacle? {
        guard let policy else { return .unknownApp }
        guard facts.bundleId == bundleID, policy.isOwn(appAppleId) else { return .wrongApp }
        guard policy.environments.contains(facts.environment) else { return .wrongEnvironment }
        guard facts.environment == .sandbox else { return nil }
        return policy.sandbox.grants(to: submitter) ? nil : .sandboxRefused
    }
}
