import Contracts

/// An App Store Server Notification with a genuine signature.
struct ServerNotification: Equatable, Sendable {
    let notificationUUID: String
    let type: String
    var subtype: String?
    let bundleId: String?
    /// Apple's number for the app; absent from some sandbox notifications.
    var appAppleId: Int64?
    let environment: Environment?
    /// With its own signature.
    var transaction: SignedTransaction?
    /// What Apple says of the next renewal; with its own signature.
    var renewal: RenewalFacts?
    /// Apple's `status` of the subscription.
    var status: Int?
    /// The app on one account, with its own signature; only where a parent withdrew consent.
    var appTransaction: AppTransactionFacts?
    /// The token of a purchase outside the App Store.
    var externalPurchase: ExternalPurchaseFacts?
    /// The name of a part that this program does not know.
    var unknownPart: String?
    /// Time of Apple's signature.
    var signedDate = Timestamp(milliseconds: 0)

    var kind: NotificationKind { NotificationKind(type: type, subtype: subtype) }
}

/// What Apple says of the app on one Apple Account.
struct AppTransactionFacts: Equatable, Sendable {
    let bundleId: String?
    let environment: Environment?
    /// Apple's id of the app on the account.
    let appTransactionId: String?
}

/// What Apple says of the token of a purchase outside the App Store.
struct ExternalPurchaseFacts: Equatable, Sendable {
    let externalPurchaseId: String?
    var tokenType: String?
    var tokenCreationDate: Timestamp?
    var tokenExpirationDate: Timestamp?
}

/// Why a notification cannot be taken.
enum NotificationFailure: Error, Equatable, Sendable {
    /// It is not Apple's and is not stored.
    case notGenuine(ProofFailure)
    /// Undecidable now: its certificates are untrusted or were invalid, or it is too long.
    case notTrusted(ProofFailure)
    /// Apple's, about an unknown app: anybody can have Apple call any address, so it is not stored; Apple repeats it.
    case unknownApp
    /// Apple's, but unreadable here; it is stored.
    case unreadable(String)

    /// A failure inside a notification leaves the notification genuine.
    init(_ proof: ProofFailure, isInside: Bool) {
        self =
            if isInside || proof == .unreadable {
                .unreadable(proof.rawValue)
            } else if proof.verdict == .invalid {
                .notGenuine(proof)
            } else {
                .notTrusted(proof)
            }
    }

    /// The reason for its dead letter.
    var reason: String {
        switch self {
        case .notGenuine(let failure), .notTrusted(let failure): failure.rawValue
        case .unknownApp: AppPolicy.Obstacle.unknownApp.rawValue
        case .unreadable(let reason): reason
        }
    }
}

struct NotificationAssessment: Equatable, Sendable {
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

extension NotificationAssessment {
    init(_ notification: ServerNotification, policy: AppPolicy) {
        if let obstacle = policy.obstacle(notification) {
            self.init(parkedAs: obstacle.rawValue)
        } else if let transaction = notification.transaction {
            guard let facts = TransactionFacts(transaction) else {
                self.init(parkedAs: ProofFailure.unreadable.rawValue)
                return
            }
            self.init(state: .delivered, facts: facts)
        } else if notification.kind == .consentRescinded {
            guard let account = notification.appTransaction?.appTransactionId, account.isAppleName else {
                self.init(parkedAs: ProofFailure.unreadable.rawValue)
                return
            }
            self.init(state: .delivered, rescindedAccount: account)
        } else if let purchase = notification.externalPurchase {
            guard let told = ExternalPurchaseNotifiedV1(purchase, of: notification) else {
                self.init(parkedAs: ProofFailure.unreadable.rawValue)
                return
            }
            self.init(state: .delivered, externalPurchase: told)
        } else if notification.unknownPart != nil {
            self.init(parkedAs: Self.unknownPart)
        } else {
            self.init(state: .noted)
        }
    }

    init(parkedAs reason: String) { self.init(state: .parked, reason: reason) }
}

extension ExternalPurchaseNotifiedV1 {
    /// Nil where a name is missing, or longer than Apple's are.
    fileprivate init?(_ purchase: ExternalPurchaseFacts, of notification: ServerNotification) {
        guard let app = notification.bundleId.flatMap(BundleID.init(rawValue:)),
            let environment = notification.environment,
            let token = purchase.externalPurchaseId, token.isAppleName,
            purchase.tokenType?.isAppleName != false, notification.subtype?.isAppleName != false
        else { return nil }
        self.init(
            bundleId: app,
            environment: environment,
            notificationUUID: notification.notificationUUID,
            notifiedAt: notification.signedDate,
            subtype: notification.subtype,
            externalPurchaseId: token,
            tokenType: purchase.tokenType,
            tokenCreationDate: purchase.tokenCreationDate,
            tokenExpirationDate: purchase.tokenExpirationDate
        )
    }
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
