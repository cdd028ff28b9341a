import Glibc

/// A clock that only advances.
enum MonotonicClock {
    /// Milliseconds since some moment in the past.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
