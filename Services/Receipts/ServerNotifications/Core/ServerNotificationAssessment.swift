import Contracts

/// What becomes of a notification.
struct ServerNotificationAssessment: Equatable, Sendable {
    enum State: String, CaseIterable, Sendable {
        case delivered
        case noted
        case parked
    }

    let state: State
    var reason: String?
    var facts: TransactionFacts?
    /// The Apple Account whose consent was withdrawn, by the app transaction's id.
    var rescindedAccount: String?
    /// What the app's server is told of a purchase outside the App Store.
    var externalPurchase: ExternalPurchaseNotifiedV1?

    /// Why a notification is parked of whose part nothing is known but its app.
    static let unknownPart = "unknownPart"

    /// Whether a notification is read; a stored one only while it is parked.
    static func isTaken(known: State?) -> Bool { known == nil || known == .parked }
}

extension ServerNotificationAssessment {
    init(_ notification: ServerNotification, policy: AppPolicy) {
        let unreadable = Self(parkedAs: ProofFailure.unreadable.rawValue)
        if let obstacle = policy.obstacle(notification) {
            self = Self(parkedAs: obstacle.rawValue)
        } else if let transaction = notification.transaction {
            let facts = TransactionFacts(transaction)
            self = facts.map { Self(state: .delivered, facts: $0) } ?? unreadable
        } else if notification.kind == .consentRescinded {
            let account = notification.appTransaction?.appTransactionId.flatMap { $0.isAppleName ? $0 : nil }
            self = account.map { Self(state: .delivered, rescindedAccount: $0) } ?? unreadable
        } else if let purchase = notification.externalPurchase {
            let told = ExternalPurchaseNotifiedV1(purchase, of: notification)
            self = told.map { Self(state: .delivered, externalPurchase: $0) } ?? unreadable
        } else if notification.unknownPart != nil {
            self = Self(parkedAs: Self.unknownPart)
        } else {
            self = Self(state: .noted)
        }
    }

    init(parkedAs reason: String) { self.init(state: .parked, reason: reason) }
}

extension AppPolicy {
    /// Why a notification is parked; a test notification only if it is about another app.
    fileprivate func obstacle(_ notification: ServerNotification) -> Obstacle? {
        guard isOwn(notification.appAppleId) else { return .wrongApp }
        if let account = notification.appTransaction {
            guard account.bundleId == notification.bundleId else { return .wrongApp }
            guard let environment = account.environment, environment == notification.environment,
                environments.contains(environment)
            else { return .wrongEnvironment }
        }
        if notification.externalPurchase != nil, let environment = notification.environment,
            !environments.contains(environment)
        {
            return .wrongEnvironment
        }
        guard let transaction = notification.transaction else { return nil }
        guard transaction.bundleId == notification.bundleId else { return .wrongApp }
        guard Environment(rawValue: transaction.environment) == notification.environment else {
            return .wrongEnvironment
        }
        return obstacle(transaction)
    }
}
