import Contracts

/// When an order that nobody pays is closed as expired; a late payment reopens it.
///
/// | rechecks | payment  | what is due next                                   |
/// |----------|----------|----------------------------------------------------|
/// | left     | issued   | the next recheck                                   |
/// | left     | deferred | the next recheck                                   |
/// | done     | issued   | the expiry                                         |
/// | done     | deferred | nothing: an approval takes as long as it takes     |
///
/// No order expires before its last recheck, so that Apple has been asked for its payment to the end.
struct OrderExpiry: Equatable, Sendable {
    private static let hour: Int64 = 3_600_000

    /// The age at which an order expires, ms.
    let age: Int64

    init(hours: Int) { age = Int64(hours) * Self.hour }

    /// When the next step of an unpaid order is due.
    func dueAt(_ schedule: RecheckSchedule, isDeferred: Bool) -> Timestamp? {
        schedule.dueAt ?? (isDeferred ? nil : schedule.issuedAt.advanced(by: age))
    }

    /// Whether an order is closed at `now`.
    func isDue(_ schedule: RecheckSchedule, isDeferred: Bool, at now: Timestamp) -> Bool {
        guard schedule.dueAt == nil, let dueAt = dueAt(schedule, isDeferred: isDeferred) else { return false }
        return dueAt <= now
    }
}
