import Contracts
import Domain

/// When an order that nobody pays is closed as expired; a late payment reopens it.
///
/// Tested by: `OrderExpiryTests`.
///
/// | lookups  | payment                  | what is due next                               |
/// |----------|--------------------------|------------------------------------------------|
/// | left     | issued, deferred, closed | the next lookup                                |
/// | done     | issued                   | the expiry                                     |
/// | done     | deferred                 | nothing: an approval takes as long as it takes |
/// | done     | closed                   | nothing                                        |
///
/// Nothing is due of an order that is paid or void.
///
/// No order expires before its last lookup, and one that is closed goes on being looked up to the last, so that Apple
/// has been asked for its payment to the end: Apple may have charged a buyer whose phone was told of a failure.
struct OrderExpiry: Equatable, Sendable {
    private static let hour: Int64 = 3_600_000

    /// The age at which an order expires, ms.
    let age: Int64

    init(hours: Int) { age = Int64(hours) * Self.hour }

    /// Which times of orders' next steps are due at `now`.
    func due(at now: Timestamp) -> DueTimes {
        DueTimes(at: now, longestPause: max(age, PaymentLookupSchedule.ages.last ?? age))
    }

    /// When the next step of an unpaid order is due; `isIssued` says that it is neither deferred nor closed.
    func dueAt(_ schedule: PaymentLookupSchedule, isIssued: Bool) -> Timestamp? {
        schedule.dueAt ?? (isIssued ? schedule.issuedAt.advanced(by: age) : nil)
    }

    /// Whether an order is closed at `now`.
    func isDue(_ schedule: PaymentLookupSchedule, isIssued: Bool, at now: Timestamp) -> Bool {
        guard schedule.dueAt == nil, let dueAt = dueAt(schedule, isIssued: isIssued) else { return false }
        return dueAt <= now
    }
}
