import Contracts
import Domain

struct AppPolicy: Equatable, Sendable {
    /// Why a genuine transaction is parked.
    enum Obstacle: String, CaseIterable, Sendable {
        case unknownApp
        /// It was signed for another app than the one that submits it.
        case wrongApp
        case wrongEnvironment
        /// An app receipt of a version that the app does not name among those it has shipped.
        case unknownVersion
        case sandboxRefused
    }

    /// Apple's number for the app; nil turns the comparison off.
    var appAppleId: Int64?
    let environments: Set<Environment>
    let sandbox: SandboxPolicy
    /// The versions that were shipped; nil if app receipts of any are taken.
    var versions: Set<String>?
    var apis: Set<AppleAPI> = []

    var preferredAPI: AppleAPI? { AppleAPI.allCases.first(where: apis.contains) }

    /// Whether `appAppleId` is this app's; Apple sends none, or 0, for the sandbox.
    func isOwn(_ appAppleId: Int64?) -> Bool {
        guard let own = self.appAppleId, let appAppleId, appAppleId != 0 else { return true }
        return appAppleId == own
    }

    /// Why a transaction that a buyer of the app `bundleID` submits is parked; nil if it is not.
    ///
    /// `version` is the app's, if the proof says it.
    static func obstacle(
        _ facts: TransactionFacts,
        signedFor appAppleId: Int64? = nil,
        by version: String? = nil,
        from submitter: BuyerID,
        of bundleID: BundleID,
        policy: AppPolicy?
    ) -> Obstacle? {
        guard let policy else { return .unknownApp }
        guard facts.bundleId == bundleID, policy.isOwn(appAppleId) else { return .wrongApp }
        guard policy.environments.contains(facts.environment) else { return .wrongEnvironment }
        if let version, policy.versions?.contains(version) == false { return .unknownVersion }
        guard facts.environment == .sandbox else { return nil }
        return policy.sandbox.grants(to: submitter) ? nil : .sandboxRefused
    }

    /// Why a transaction without a submission is parked; nil if it is not.
    ///
    /// A sandbox for some buyers only parks it, as its buyer is unknown, unless it is revoked and grants nothing.
    func obstacle(_ transaction: SignedTransaction) -> Obstacle? {
        let environment = Environment(rawValue: transaction.environment)
        guard environments.contains(environment) else { return .wrongEnvironment }
        guard environment == .sandbox else { return nil }
        return switch sandbox {
        case .separate: nil
        case .refuse: .sandboxRefused
        case .grantTo: transaction.revocationDate == nil ? .sandboxRefused : nil
        }
    }
}
