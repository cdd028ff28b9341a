import Contracts
import Domain

/// When Delivery tries again what has failed.
enum RetryPolicy {
    static let backoff = Backoff(first: 500, longest: 60_000)
    static let attempts = 12
    /// Of work that is tried again without end.
    static let work = Backoff(first: 30_000, longest: 3_600_000)

    /// Whether an alarm tells of a failure that was the `count`th in a row: at the first, second, fourth, eighth and so
    /// on, so that what fails all the time fills no log.
    static func isTold(_ count: Int) -> Bool { count.nonzeroBitCount == 1 }

    /// Which times of delayed events are due at `now`.
    static func due(at now: Timestamp) -> DueTimes { DueTimes(at: now, longestPause: backoff.longest) }
}
