import Contracts
import Domain

/// When an order that nobody pays is closed as expired; a late payment reopens it.
///
/// Tested by: `OrderExpiryTests`.
///
/// | lookups  | payment                  | what is due next                                       |
/// |----------|--------------------------|--------------------------------------------------------|
/// | left     | issued, deferred, closed | the next lookup                                        |
/// | done     | issued                   | the expiry, counted from the issue                     |
/// | done     | deferred                 | the expiry, 30 days or more after the phone's report   |
/// | done     | closed                   | nothing                                                |
///
/// Nothing is due of an order that is paid or void.
///
/// Apple tells nobody that an approval was declined, so a deferred order ends as any other does, but later.
///
/// No order expires before its last lookup, and one that is closed goes on being looked up to the last, so that Apple
/// has been asked for its payment to the end: Apple may have charged a buyer whose phone was told of a failure.
struct OrderExpiry: Equatable, Sendable {
    /// What becomes of an unpaid order that is not looked up any more.
    enum Wait: Hashable, Sendable {
        case issued
        /// Somebody has to approve the payment, as a phone has reported then.
        case deferred(since: Timestamp)
        case closed
    }

    /// How long an approval is waited for at least, from the phone's report on, ms: 30 days.
    static let approvalAge = 30 * 24 * hour

    private static let hour: Int64 = 3_600_000

    /// The age at which an order expires, ms.
    let age: Int64

    init(hours: Int) { age = Int64(hours) * Self.hour }

    /// Which times of orders' next steps are due at `now`.
    func due(at now: Timestamp) -> DueTimes {
        let longestPause = max(longestWait, PaymentLookupSchedule.ages.last ?? age)
        return DueTimes(at: now, longestPause: longestPause)
    }

    /// When the next step of an unpaid order is due.
    func dueAt(_ schedule: PaymentLookupSchedule, _ wait: Wait) -> Timestamp? {
        if let lookup = schedule.dueAt { return lookup }
        return switch wait {
        case .issued: schedule.issuedAt.advanced(by: age)
        case .deferred(let report): report.advanced(by: longestWait)
        case .closed: nil
        }
    }

    /// Whether an order is closed at `now`.
    func isDue(_ schedule: PaymentLookupSchedule, _ wait: Wait, at now: Timestamp) -> Bool {
        guard schedule.dueAt == nil, let dueAt = dueAt(schedule, wait) else { return false }
        return dueAt <= now
    }

    /// An order that needs an approval waits no shorter than any other.
    private var longestWait: Int64 { max(age, Self.approvalAge) }
}
