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
