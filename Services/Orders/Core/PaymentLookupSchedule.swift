import Contracts

/// When the payment of an unpaid order is looked up: Apple may know it, even without a phone or a notification, and
/// even though the order is closed.
///
/// Tested by: `PaymentLookupScheduleTests`.
///
/// | lookups so far  | next one, counted from the issue          |
/// |-----------------|-------------------------------------------|
/// | 0               | 10 minutes                                |
/// | 1               | 1 hour                                    |
/// | 2               | 6 hours                                   |
/// | 3               | 24 hours                                  |
/// | 4               | 72 hours                                  |
/// | 5               | none: an order that nobody pays is normal |
///
/// A lookup replaces all that were due before it, and one that is due within minutes. This is the count after
/// one at an age, those minutes included:
///
/// | count before \ age | < 10 min | < 1 h | < 6 h | < 24 h | < 72 h | from 72 h |
/// |--------------------|----------|-------|-------|--------|--------|-----------|
/// | 0                  | 1        | 1     | 2     | 3      | 4      | 5         |
/// | 1                  | 2        | 2     | 2     | 3      | 4      | 5         |
/// | 2                  | 3        | 3     | 3     | 3      | 4      | 5         |
/// | 3                  | 4        | 4     | 4     | 4      | 4      | 5         |
/// | 4                  | 5        | 5     | 5     | 5      | 5      | 5         |
/// | 5                  | 5        | 5     | 5     | 5      | 5      | 5         |
///
/// A lookup before its time, as below the diagonal, means that the clock moved backwards; it counts, so that
/// looking up ends. An issue that lies ahead was dated by a wrong clock: the order counts as issued now.
struct PaymentLookupSchedule: Equatable, Sendable {
    /// The ages at which an order is looked up, ms.
    static let ages: [Int64] = [10 * minute, hour, 6 * hour, 24 * hour, 72 * hour]
    /// Lookups of one buyer that are due within this time are done together, ms.
    static let coalescingMilliseconds = 5 * minute

    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute

    let issuedAt: Timestamp
    /// Lookups done, including those that a later one replaced.
    private(set) var lookups = 0

    init(issuedAt: Timestamp, lookups: Int = 0) {
        self.issuedAt = issuedAt
        self.lookups = lookups
    }

    /// The schedule of a stored order, at `now`.
    init(storedIssue: Timestamp, lookups: Int, now: Timestamp) {
        self.init(issuedAt: min(storedIssue, now), lookups: lookups)
    }

    /// From when on an order's payment is looked for at `now`.
    static func start(storedIssue: Timestamp, now: Timestamp) -> Timestamp {
        storedIssue <= now ? storedIssue : now.advanced(by: -(ages.last ?? 0))
    }

    /// When the next lookup is due; nil after the last.
    var dueAt: Timestamp? {
        Self.ages.indices.contains(lookups) ? issuedAt.advanced(by: Self.ages[lookups]) : nil
    }

    /// Counts a lookup at `now`; a finished schedule does not change.
    mutating func lookUp(at now: Timestamp) {
        guard dueAt != nil else { return }
        let reached = now.advanced(by: Self.coalescingMilliseconds)
        lookups = max(lookups + 1, Self.ages.count { issuedAt.advanced(by: $0) <= reached })
    }
}

extension PaymentLookupSchedule {
    /// When an open order is first looked up; nil when it is not open.
    static func firstLookup(of order: Order) -> Timestamp? {
        switch order.payment {
        case .issued, .deferred: Self(issuedAt: order.issuedAt).dueAt
        case .closed, .paid, .void: nil
        }
    }

    /// When something is due of an order that has lost its payment, after so many lookups.
    ///
    /// Whether an issued or deferred order expires then is found out at once.
    static func nextLookup(of order: Order, after lookups: Int, now: Timestamp) -> Timestamp? {
        let dueAt = Self(storedIssue: order.issuedAt, lookups: lookups, now: now).dueAt
        return switch order.payment {
        case .issued, .deferred: dueAt ?? now
        case .closed: dueAt
        case .paid, .void: nil
        }
    }
}
