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

    func signed(by signer: AppStoreSigner) throws -> String {
        var data: [String: JSONValue] = [
            "environment": .string(transaction.environment), "bundleId": .string(transaction.bundleId),
            "signedTransactionInfo": .string(try signer.sign(transaction: transaction)),
        ]
        data["signedRenewalInfo"] = try renewal.map {
            .string(try signer.sign(payload: Array(JSONEncoder().encode($0))))
        }
        var body: [String: JSONValue] = [
            "notificationType": .string(type), "notificationUUID": .string(UUID().uuidString.lowercased()),
            "version": .string("2.0"), "signedDate": .integer(transaction.signedDate), "data": .object(data),
        ]
        body["subtype"] = subtype.map { .string($0) }
        return try signer.sign(payload: Array(JSONEncoder().encode(body)))
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
