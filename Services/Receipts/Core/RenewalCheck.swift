import Contracts
import Domain

/// A check for the renewal of a subscription about which Apple has sent nothing since its period ended.
///
/// A renewal is signed before or soon after the old period ends; in billing retry Apple tries for 60 more days.
struct RenewalCheck: Codable, Equatable, Sendable {
    /// First check after the period's end, ms.
    static let firstMilliseconds: Int64 = 3_600_000
    static let everyMilliseconds: Int64 = 86_400_000
    /// When an unpaid subscription has ended for good, ms (Apple: billing retry, 60 days).
    static let longestMilliseconds: Int64 = 61 * 86_400_000

    let environment: Environment
    let purchaseId: PurchaseID
    let transactionId: TransactionID
    let expiresDate: Timestamp

    /// The check of the period that a transaction pays for; nil if it pays for none.
    init?(_ facts: TransactionFacts) {
        guard let expires = facts.expiresDate else { return nil }
        environment = facts.environment
        purchaseId = facts.purchaseId
        transactionId = facts.transactionId
        expiresDate = expires
    }

    /// When a transaction is first checked; nil if no renewal is expected.
    static func first(for facts: TransactionFacts, now: Timestamp) -> Timestamp? {
        guard facts.type == ProductType.autoRenewable, facts.revocationDate == nil, facts.isUpgraded != true,
            let expires = facts.expiresDate, now < expires.advanced(by: longestMilliseconds)
        else { return nil }
        return expires.advanced(by: firstMilliseconds)
    }

    /// When to check again; nil once the subscription was renewed or has ended for good.
    func next(after result: AppleJobResult, now: Timestamp) -> Timestamp? {
        if result.isUnanswered { return result.until ?? now.advanced(by: AppleQuery.alertPause) }
        let next = now.advanced(by: Self.everyMilliseconds)
        let isOver = next >= expiresDate.advanced(by: Self.longestMilliseconds)
        return isOver || isRenewed(result.contents.transactions) ? nil : next
    }

    private func isRenewed(_ transactions: [SignedTransaction]) -> Bool {
        let own = transactions.first { $0.transactionId == transactionId.rawValue }
        return transactions.contains { other in
            other.originalTransactionId == own?.originalTransactionId
                && (other.expiresDate ?? 0) > expiresDate.milliseconds
        }
    }
}
