import Contracts
import Glibc

extension Moment {
    /// The moment of the call.
    package static func current() -> Moment {
        Moment(now: Timestamp(milliseconds: read(CLOCK_REALTIME)), uptime: read(CLOCK_MONOTONIC))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
