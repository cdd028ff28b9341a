package import Contracts
import Glibc

/// What both clocks show at one time.
package struct ClockReading: Equatable, Sendable {
    /// Wall-clock time; it may jump.
    package var now: Timestamp
    /// Milliseconds of a clock that only moves forward.
    package var uptime: Int64

    package init(now: Timestamp, uptime: Int64) {
        self.now = now
        self.uptime = uptime
    }

    /// What they show at the time of the call.
    package static func current() -> ClockReading {
        ClockReading(now: Timestamp(milliseconds: read(CLOCK_REALTIME)), uptime: read(CLOCK_MONOTONIC))
    }

    /// Milliseconds of a clock that only moves forward, also while the machine sleeps: for what others count, too.
    package static var sinceBoot: Int64 { read(CLOCK_BOOTTIME) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
