package import Contracts

/// Which of the times are due that were made as *now + pause*.
///
/// | the time                                | is it due?                                     |
/// |-----------------------------------------|------------------------------------------------|
/// | now or past                             | yes                                            |
/// | ahead, by the longest pause at most     | no                                             |
/// | further ahead than by the longest pause | yes: it was written by a clock that was wrong  |
///
/// Nothing else compares such times with the clock, so that none is waited for that nobody meant.
package struct DueTimes: Hashable, Sendable {
    package let now: Timestamp
    /// The end of the longest pause that begins now.
    package let latest: Timestamp

    /// `longestPause` is in ms.
    package init(at now: Timestamp, longestPause: Int64) {
        self.init(now: now, latest: now.advanced(by: longestPause))
    }

    private init(now: Timestamp, latest: Timestamp) {
        self.now = now
        self.latest = latest
    }

    /// Whether a time is due.
    package func contains(_ time: Timestamp) -> Bool { time <= now || latest < time }

    /// The first of some times that is not due yet.
    package func next(of times: some Sequence<Timestamp>) -> Timestamp? {
        times.filter { !contains($0) }.min()
    }

    /// These, and those that come due within so many ms.
    package func including(next milliseconds: Int64) -> DueTimes {
        DueTimes(now: now.advanced(by: milliseconds), latest: latest)
    }
}
