package import Contracts
import Domain

/// What Apple says with a notification whose signature holds.
package struct Notice: Equatable, Sendable {
    package let notificationUUID: String
    package let type: String
    package let subtype: String?
    package let signedDate: Timestamp
    /// The app it is about, as it says.
    package let bundleId: String?
    /// Apple's number for the app; absent from some of the sandbox's.
    package let appAppleId: Int64?
    package let environment: Environment?
    /// The transaction it is about, signed by itself.
    package let transaction: SignedTransaction?

    package init(
        notificationUUID: String,
        type: String,
        subtype: String? = nil,
        signedDate: Timestamp,
        bundleId: String?,
        appAppleId: Int64? = nil,
        environment: Environment?,
        transaction: SignedTransaction? = nil
    ) {
        self.notificationUUID = notificationUUID
        self.type = type
        self.subtype = subtype
        self.signedDate = signedDate
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environment = environment
        self.transaction = transaction
    }

    /// What happened.
    package var occurrence: Occurrence { Occurrence(type: type, subtype: subtype) }
}

/// Why a notification is no notice.
package enum NoticeFailure: Error, Equatable, Sendable {
    /// Not Apple's words; nothing is kept.
    case notGenuine(ProofFailure)
    /// Nobody can tell as things stand: the certificates are not trusted or were not valid, or it is too long.
    case notTrusted(ProofFailure)
    /// Apple's words, and about no app that is configured: anybody can have Apple call any address, so they are not
    /// kept; Apple repeats them for days.
    case unknownApp
    /// Apple's words, and this program cannot read them, or what they carry; they are kept.
    case unreadable(String)
}

/// What is done about a notice.
package struct NoticeReading: Equatable, Sendable {
    /// How a notification stands.
    package enum State: String, CaseIterable, Sendable {
        /// Its transaction went to its claim.
        case told
        /// It is about no transaction.
        case noted
        /// It waits for an operator.
        case parked
    }

    package let state: State
    /// Why it is parked.
    package let reason: String?
    /// The facts that go to their claim.
    package let facts: TransactionFacts?

    /// What is done about a notice, under the policy of the app that it is about.
    package init(_ notice: Notice, policy: AppPolicy) {
        if let obstacle = policy.obstacle(notice) {
            self.init(.parked, obstacle.rawValue)
        } else if let transaction = notice.transaction {
            let facts = TransactionFacts(transaction)
            let isReadable = facts != nil
            self.init(
                isReadable ? .told : .parked,
                isReadable ? nil : ProofFailure.unreadable.rawValue,
                facts
            )
        } else {
            self.init(.noted)
        }
    }

    package init(unreadable reason: String) { self.init(.parked, reason) }

    private init(_ state: State, _ reason: String? = nil, _ facts: TransactionFacts? = nil) {
        self.state = state
        self.reason = reason
        self.facts = facts
    }
}

extension AppPolicy {
    /// What stands in the way of a notice; in that of a test notification, which is about no purchase, only that it is
    /// about another app.
    fileprivate func obstacle(_ notice: Notice) -> Obstacle? {
        guard isOwn(notice.appAppleId) else { return .wrongApp }
        guard let transaction = notice.transaction else { return nil }
        guard transaction.bundleId == notice.bundleId else { return .wrongApp }
        guard Environment(rawValue: transaction.environment) == notice.environment else {
            return .wrongEnvironment
        }
        return obstacle(transaction)
    }

    /// What stands in the way of a transaction that nobody hands in.
    ///
    /// Where the sandbox grants to some buyers only, it passes for none, as it does not say whose purchase it is; but what
    /// Apple took back grants nothing to anybody.
    package func obstacle(_ transaction: SignedTransaction) -> Obstacle? {
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
