import Glibc

/// A moment of this machine's monotonic clock, by which something has to be done.
struct Deadline: Comparable {
    private let moment: Int64

    /// In so many milliseconds from now.
    init(in milliseconds: Int) { moment = Self.now + Int64(milliseconds) }

    /// What that clock shows, in ms.
    static var uptime: Int64 { now }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Milliseconds until then, 0 afterwards.
    var remaining: Int { Int(max(0, moment - Self.now)) }

    var isOver: Bool { remaining == 0 }

    static func < (left: Deadline, right: Deadline) -> Bool { left.moment < right.moment }
}
