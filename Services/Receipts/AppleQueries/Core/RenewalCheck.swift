import Contracts
import Domain

/// A check for the renewal of a subscription about which Apple has sent nothing since its period ended.
///
/// A renewal is signed before or soon after the old period ends; in billing retry Apple tries for 60 more days, for a
/// commitment of 12 months for 90.
///
/// A member's `ASSIGNED` copy of a seat is not checked: its renewal is its purchaser's.
struct RenewalCheck: Codable, Equatable, Sendable {
    /// When a check is due, and how that is compared with the clock.
    ///
    /// Tested by: `RenewalCheckTests`.
    ///
    /// | stage    | its time                                       | is due                                     |
    /// |----------|------------------------------------------------|--------------------------------------------|
    /// | first    | an hour after Apple's end of the period        | when that has come                         |
    /// | repeated | now + pause                                    | by `DueTimes`                              |
    /// | over     | has come: Apple has given up the unpaid period | when it lies ahead: the clock was set back |
    struct Due: Hashable, Sendable {
        enum Stage: String, CaseIterable, Sendable { case first, repeated, over }

        let stage: Stage
        let time: Timestamp
    }

    /// First check after the period's end, ms.
    static let firstMilliseconds: Int64 = 3_600_000
    static let everyMilliseconds: Int64 = 86_400_000
    /// When an unpaid subscription has ended for good, ms (Apple: billing retry, 60 days).
    static let longestMilliseconds: Int64 = 61 * 86_400_000
    /// When an unpaid commitment has ended for good, ms (Apple: billing retry, 90 days).
    static let longestOfCommitmentMilliseconds: Int64 = 91 * 86_400_000

    let environment: Environment
    let purchaseId: PurchaseID
    let transactionId: TransactionID
    let expiresDate: Timestamp
    let isOfCommitment: Bool

    /// The check of the period that a transaction pays for; nil if it pays for none.
    init?(_ facts: TransactionFacts) {
        guard let expires = facts.expiresDate else { return nil }
        environment = facts.environment
        purchaseId = facts.purchaseId
        transactionId = facts.transactionId
        expiresDate = expires
        isOfCommitment = facts.isOfCommitment
    }

    /// When a transaction is first checked; nil if no renewal is expected.
    static func first(for facts: TransactionFacts, now: Timestamp) -> Due? {
        guard facts.type == ProductType.autoRenewable, facts.revocationDate == nil, facts.isUpgraded != true,
            !facts.isAssigned, let check = RenewalCheck(facts)
        else { return nil }
        let first = check.expiresDate.advanced(by: firstMilliseconds)
        return check.end(at: now) ?? Due(stage: .first, time: first)
    }

    /// Which times of repeated checks are due at `now`.
    static func repeated(at now: Timestamp) -> DueTimes { DueTimes(at: now, longestPause: everyMilliseconds) }

    /// When to check again; nil once the subscription was renewed.
    func next(after result: AppleJobResult, now: Timestamp) -> Due? {
        if result.isUnanswered {
            return Due(stage: .repeated, time: result.until ?? now.advanced(by: AppleQuery.alertPause))
        }
        if isRenewed(result.contents.transactions) { return nil }
        let first = expiresDate.advanced(by: Self.firstMilliseconds)
        // It was checked by a clock that was wrong.
        if now < first { return Due(stage: .first, time: first) }
        let next = now.advanced(by: Self.everyMilliseconds)
        return end(at: next, seenAt: now) ?? Due(stage: .repeated, time: next)
    }

    /// The end of all checks of the period, as it is at `time`.
    private func end(at time: Timestamp, seenAt now: Timestamp? = nil) -> Due? {
        let longest = isOfCommitment ? Self.longestOfCommitmentMilliseconds : Self.longestMilliseconds
        let end = expiresDate.advanced(by: longest)
        return time < end ? nil : Due(stage: .over, time: min(end, now ?? time))
    }

    private func isRenewed(_ transactions: [SignedTransaction]) -> Bool {
        let own = transactions.first { $0.transactionId == transactionId.rawValue }
        return transactions.contains { other in
            other.originalTransactionId == own?.originalTransactionId
                && (other.expiresDate ?? 0) > expiresDate.milliseconds
        }
    }
}
