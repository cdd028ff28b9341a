package import Contracts

/// When to ask whether a subscription went on of which Apple has said nothing since its period ended.
///
/// A renewal is signed before or soon after the old period ends; in billing retry Apple tries for 60 days more.
package enum RenewalSchedule {
    /// The first look, so many ms after the period's end.
    package static let firstMilliseconds: Int64 = 3_600_000
    /// Looks after it are so many ms apart.
    package static let everyMilliseconds: Int64 = 86_400_000
    /// After so many ms a subscription that was not paid has ended for good (Apple: billing retry, 60 days).
    package static let longestMilliseconds: Int64 = 61 * 86_400_000

    private static let autoRenewable = "Auto-Renewable Subscription"

    /// The first look at a transaction; nil where there is nothing to look for.
    package static func first(at facts: TransactionFacts, now: Timestamp) -> Timestamp? {
        guard facts.type == autoRenewable, facts.revocationDate == nil, facts.isUpgraded != true,
            let expires = facts.expiresDate, now < expires.advanced(by: longestMilliseconds)
        else { return nil }
        return expires.advanced(by: firstMilliseconds)
    }

    /// The look after one that found nothing newer; nil when that was the last.
    package static func next(ofPeriodUntil expires: Timestamp, now: Timestamp) -> Timestamp? {
        let next = now.advanced(by: everyMilliseconds)
        return next < expires.advanced(by: longestMilliseconds) ? next : nil
    }

    /// Whether Apple knows of a period of the same chain that ends later.
    package static func wentOn(
        _ known: [SignedTransaction],
        from transactionID: TransactionID,
        until expires: Timestamp
    ) -> Bool {
        let own = known.first { $0.transactionId == transactionID.rawValue }
        return known.contains { other in
            other.originalTransactionId == own?.originalTransactionId
                && (other.expiresDate ?? 0) > expires.milliseconds
        }
    }
}
