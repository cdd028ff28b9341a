import Glibc

extension Double {
    /// Rounded to one digit after the point.
    package var tenths: Double { (self * 10).rounded() / 10 }
}

extension [Double] {
    /// The nearest-rank percentile of sorted numbers, by its part of 1; 0 when there are none.
    package func percentile(_ part: Double) -> Double {
        guard !isEmpty else { return 0 }
        return self[Swift.max(Int((part * Double(count)).rounded(.up)), 1) - 1]
    }
}

/// The clock that all processes of the machine share.
package enum WallClock {
    /// Microseconds since 1970.
    package static var microseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
