import LoadVerdict

/// A measurement and the load before it.
struct Measurement {
    let warmUp: LoadReport
    let report: LoadReport

    /// Purchases that both have made.
    var made: Int { warmUp.granted + report.granted }
    var lost: Int { warmUp.lost + report.lost }
    var twice: Int { warmUp.twice + report.twice }
}

/// A group with empty stores and one with full stores, measured one after the other.
struct MeasuredPair {
    let empty: Measurement
    let full: Measurement

    /// The purchases per second with full stores against those with empty ones.
    var ratio: Double {
        (full.report.purchasesPerSecond / empty.report.purchasesPerSecond * 1_000).rounded() / 1_000
    }
}
