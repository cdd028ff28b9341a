package import Contracts

/// When an open order is looked at again: Apple may know of its payment, though neither phone nor notification came.
///
/// | looks so far | next look, counted from the issue |
/// |--------------|-----------------------------------|
/// | 0            | 10 minutes                        |
/// | 1            | 1 hour                            |
/// | 2            | 6 hours                           |
/// | 3            | 24 hours                          |
/// | 4            | 72 hours                          |
/// | 5            | none: an order that nobody pays is normal |
///
/// A look stands for all steps that lie behind it, and for one that is only minutes ahead. So many looks there were
/// after one at an age, those minutes included:
///
/// | looks before \ age | < 10 min | < 1 h | < 6 h | < 24 h | < 72 h | from 72 h |
/// |--------------------|----------|-------|-------|--------|--------|-----------|
/// | 0                  | 1        | 1     | 2     | 3      | 4      | 5         |
/// | 1                  | 2        | 2     | 2     | 3      | 4      | 5         |
/// | 2                  | 3        | 3     | 3     | 3      | 4      | 5         |
/// | 3                  | 4        | 4     | 4     | 4      | 4      | 5         |
/// | 4                  | 5        | 5     | 5     | 5      | 5      | 5         |
/// | 5                  | 5        | 5     | 5     | 5      | 5      | 5         |
///
/// A look before its time, as below the diagonal, comes of a clock that went back: it counts, so that looking ends.
package struct OrderWatch: Equatable, Sendable {
    /// The ages at which an order is looked at, in ms.
    package static let ages: [Int64] = [10 * minute, hour, 6 * hour, 24 * hour, 72 * hour]
    /// A look that is due so soon is taken along with another of the same buyer's, in ms.
    package static let togetherMilliseconds = 5 * minute

    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute

    package let issuedAt: Timestamp
    /// The steps that were taken, those included for which a later look stood.
    package private(set) var looks: Int

    package init(issuedAt: Timestamp, looks: Int = 0) {
        self.issuedAt = issuedAt
        self.looks = looks
    }

    /// When the next look is due; nil when there is none any more.
    package var dueAt: Timestamp? {
        Self.ages.indices.contains(looks) ? issuedAt.advanced(by: Self.ages[looks]) : nil
    }

    /// Takes a look at `now`; a watch that is over stays so.
    package mutating func look(at now: Timestamp) {
        guard dueAt != nil else { return }
        let reached = now.advanced(by: Self.togetherMilliseconds)
        let behind = Self.ages.count { issuedAt.advanced(by: $0) <= reached }
        looks = max(looks + 1, behind)
    }
}

extension Order {
    /// When the order is looked at for the first time, if it is not paid until then; nil when it is not open.
    package var firstLookAt: Timestamp? {
        switch payment {
        case .issued: OrderWatch(issuedAt: issuedAt).dueAt
        case .closed, .paid: nil
        }
    }
}
