import Contracts

/// A signed notification and what became of its delivery.
struct NotificationRecord: Sendable {
    let uuid: String
    let app: StoreApp
    let type: String
    let subtype: String?
    /// The transaction that it carries, and the first one of that transaction's subscription.
    let transactionIds: Set<String>
    let signedPayload: String
    let signedDate: Timestamp
    var attempts: [SendAttempt] = []

    var hasFailed: Bool { attempts.last.map { $0.sendAttemptResult != .success } ?? false }
}
