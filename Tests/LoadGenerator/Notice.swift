import AppStoreSigning
import Contracts
import Foundation
import TestKit

/// A server notification of Apple's.
struct Notice: Sendable {
    let type: String
    var subtype: String?
    /// As Apple signs it with this notification.
    let transaction: SignedTransaction
    var renewal: Renewal?

    /// What Apple signs of a subscription's next renewal.
    struct Renewal: Encodable, Sendable {
        let originalTransactionId: String
        let autoRenewProductId: String
        var autoRenewStatus = 1
        let renewalDate: Int64?
        let environment: String
        let signedDate: Int64
        var isInBillingRetryPeriod: Bool?
        var gracePeriodExpiresDate: Int64?
    }

    private struct Body: Encodable {
        struct Data: Encodable {
            let environment: String
            let bundleId: String
            let signedTransactionInfo: String
            let signedRenewalInfo: String?
        }

        let notificationType: String
        let subtype: String?
        let notificationUUID: String
        let version = "2.0"
        let signedDate: Int64
        let data: Data
    }

    func signed(by signer: AppStoreSigner) throws -> String {
        let encoder = JSONEncoder()
        let body = Body(
            notificationType: type,
            subtype: subtype,
            notificationUUID: UUID().uuidString.lowercased(),
            signedDate: transaction.signedDate,
            data: .init(
                environment: transaction.environment,
                bundleId: transaction.bundleId,
                signedTransactionInfo: try signer.sign(transaction: transaction),
                signedRenewalInfo: try renewal.map {
                    try signer.sign(payload: Array(encoder.encode($0)))
                }
            )
        )
        return try signer.sign(payload: Array(encoder.encode(body)))
    }
}

/// What the gateway answers to a notification; nothing of it matters.
private struct NoticeAnswer: Decodable, Sendable {}

extension Phone {
    /// Delivers a notification as Apple does, again and again until it is acknowledged; whether it was.
    func deliver(_ notice: Notice, isRepeated: Bool = false) async throws -> Bool {
        let payload = try notice.signed(by: context.signer)
        let answer: NoticeAnswer? = try await context.retry {
            await .of { try await client.notify(payload) }
        }
        guard answer != nil else { return false }
        var line = JournalLine(.notified, transaction: notice.transaction.transactionId)
        line.notificationType = [notice.type, notice.subtype].compactMap(\.self).joined(separator: "/")
        if notice.transaction.revocationDate != nil {
            line.refundedShare = notice.transaction.revocationPercentage ?? Int(RefundHistory.all)
        }
        try await context.journal.add(line)
        if isRepeated,
            case .failed(let reason) = await Reply<NoticeAnswer>.of({ try await client.notify(payload) })
        {
            context.note { $0.noteError(reason) }
        }
        return true
    }
}
