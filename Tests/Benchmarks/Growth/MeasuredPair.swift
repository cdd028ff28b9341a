import LoadVerdict

/// The same load on a group with empty stores and on one with full stores, within seconds.
struct MeasuredPair {
    let empty: LoadReport
    let full: LoadReport

    var lost: Int { empty.lost + full.lost }
    var twice: Int { empty.twice + full.twice }

    /// The purchases per second with full stores against those with empty ones.
    var ratio: Double { (full.purchasesPerSecond / empty.purchasesPerSecond * 1_000).rounded() / 1_000 }
}

extension [MeasuredPair] {
    /// Halfway between the two pairs in the middle, or the one there; 0 without pairs.
    var middleRatio: Double {
        let ratios = map(\.ratio).sorted()
        guard let upper = ratios.dropFirst(count / 2).first else { return 0 }
        return count % 2 == 1 ? upper : (ratios[count / 2 - 1] + upper) / 2
    }
}
