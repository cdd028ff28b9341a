import Contracts
import Domain

/// A notification or transaction from Apple, its signature checked.
struct AppleFinding: Codable, Equatable, Sendable {
    /// The notification's JWS; nil if a transaction was requested.
    var signedPayload: String?
    var notificationUUID: String?
    /// Nil for a notification about no transaction.
    var transaction: SignedTransaction?
    /// Why it is unusable, such as `badSignature`; nil if usable.
    var problem: String?
    /// Whether the problem is the transaction's, and the notification with it is genuine.
    var isInside = false

    var notification: ServerNotificationRecoveredV1? {
        guard let signedPayload, let notificationUUID else { return nil }
        return ServerNotificationRecoveredV1(identifier: notificationUUID, signedPayload: signedPayload)
    }

    /// The notification for its partition; nil if it is not Apple's.
    ///
    /// Apple's notifications that are unreadable or untrusted here go on, too: they are stored for an operator.
    var recovered: ServerNotificationRecoveredV1? {
        let forgeries: [ProofFailure] = [.badSignature, .malformed]
        let isForged = !isInside && forgeries.contains { $0.rawValue == problem }
        guard let signedPayload, !isForged else { return nil }
        let identifier = notificationUUID ?? ServerNotificationIdentifier.digest(of: signedPayload)
        return ServerNotificationRecoveredV1(identifier: identifier, signedPayload: signedPayload)
    }

    var defect: String? {
        if signedPayload != nil { return notificationUUID == nil ? "it has no notificationUUID" : nil }
        return transaction.flatMap(TransactionFacts.init) == nil ? "it cannot be read" : nil
    }
}
