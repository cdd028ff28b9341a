package import Contracts

/// When an open order is rechecked: Apple may know of its payment, though neither phone nor notification came.
///
/// | rechecks so far | next one, counted from the issue          |
/// |-----------------|-------------------------------------------|
/// | 0               | 10 minutes                                |
/// | 1               | 1 hour                                    |
/// | 2               | 6 hours                                   |
/// | 3               | 24 hours                                  |
/// | 4               | 72 hours                                  |
/// | 5               | none: an order that nobody pays is normal |
///
/// A recheck stands for all that were due before it, and for one that is due within minutes. This is the count after
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
/// A recheck before its time, as below the diagonal, means that the clock moved backwards; it counts, so that
/// rechecking ends.
package struct RecheckSchedule: Equatable, Sendable {
    /// The ages at which an order is rechecked, in ms.
    package static let ages: [Int64] = [10 * minute, hour, 6 * hour, 24 * hour, 72 * hour]
    /// A recheck that is due within so many ms is done together with another of the same buyer's.
    package static let coalescingMilliseconds = 5 * minute

    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute

    package let issuedAt: Timestamp
    /// How many were done, those included for which a later one stood.
    package private(set) var rechecks: Int

    package init(issuedAt: Timestamp, rechecks: Int = 0) {
        self.issuedAt = issuedAt
        self.rechecks = rechecks
    }

    /// When the next recheck is due; nil when there is none any more.
    package var dueAt: Timestamp? {
        Self.ages.indices.contains(rechecks) ? issuedAt.advanced(by: Self.ages[rechecks]) : nil
    }

    /// Counts a recheck at `now`; a schedule that has ended stays so.
    package mutating func recheck(at now: Timestamp) {
        guard dueAt != nil else { return }
        let reached = now.advanced(by: Self.coalescingMilliseconds)
        rechecks = max(rechecks + 1, Self.ages.count { issuedAt.advanced(by: $0) <= reached })
    }
}

extension Order {
    /// When the order is rechecked for the first time, if it is not paid until then; nil when it is not open.
    package var firstRecheckAt: Timestamp? {
        switch payment {
        case .issued: RecheckSchedule(issuedAt: issuedAt).dueAt
        case .closed, .paid: nil
        }
    }
}
