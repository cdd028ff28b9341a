import Contracts
import Domain

/// When Delivery tries again what has failed: the same for messages of all types.
///
/// | what failed                                         | is tried again                            | in the end          |
/// |-----------------------------------------------------|-------------------------------------------|---------------------|
/// | an event's handler                                  | `attempts` times, after `backoff`         | a dead letter       |
/// | the result of outside work, or a timer's turn       | after `work`                              | again, without end  |
/// | one where another try changes nothing (`parksFailure`) | until `failuresOfParked`, after `backoff.first` | parked       |
/// | a timer, or the worker, that cannot read a row      | after `backoff.longest`                   | again, without end  |
/// | a request's handler                                 | by whoever asks, who is told so           | nothing is kept     |
enum RetryPolicy {
    static let backoff = Backoff(first: 500, longest: 60_000)
    /// How often an event is tried again.
    static let attempts = 12
    /// Failures in a row after which work is parked, where that is wanted: a single one may be the store's.
    static let failuresOfParked = 3
    static let work = Backoff(first: 30_000, longest: 3_600_000)

    /// Whether an alarm tells of the `count`th failure: the first, second, fourth, eighth and so on, so that what fails
    /// all the time fills no log.
    ///
    /// Failures of work are counted by its key, and in a row. Those of requests are counted by the type of the message.
    static func isTold(_ count: Int) -> Bool { count.nonzeroBitCount == 1 }

    /// Which times of delayed events are due at `now`.
    static func due(at now: Timestamp) -> DueTimes { DueTimes(at: now, longestPause: backoff.longest) }
}
