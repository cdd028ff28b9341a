import Contracts

/// A signed notification and what became of its delivery; the control interface shows what identifies it.
struct ServerNotificationRecord: Encodable, Sendable {
    private enum CodingKeys: CodingKey {
        case notificationUUID, notificationType, subtype, transactionId, signedPayload
    }

    let app: StoreApp
    let notificationUUID: String
    let notificationType: String
    let subtype: String?
    /// The transaction that it carries, and the first one of that transaction's subscription.
    let transactionId: String?
    let originalTransactionId: String?
    let signedPayload: String
    let signedDate: Timestamp
    var attempts: [SendAttempt] = []

    var hasFailed: Bool { attempts.last.map { $0.sendAttemptResult != .success } ?? false }
}
