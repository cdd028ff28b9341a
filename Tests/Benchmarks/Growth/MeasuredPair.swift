import LoadVerdict

/// The same load on a group with empty stores and on one with full stores, within seconds.
struct MeasuredPair {
    let empty: LoadReport
    let full: LoadReport

    var lost: Int { empty.lost + full.lost }
    var twice: Int { empty.twice + full.twice }

    /// The purchases per second with full stores against those with empty ones.
    var ratio: Double { [self].ratio }
}

extension [MeasuredPair] {
    /// The time of all purchases with empty stores against that with full ones.
    var ratio: Double {
        let empty = map { 1 / $0.empty.purchasesPerSecond }.reduce(0, +)
        let full = map { 1 / $0.full.purchasesPerSecond }.reduce(0, +)
        return (empty / full * 1_000).rounded() / 1_000
    }
}
