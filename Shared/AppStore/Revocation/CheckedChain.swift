package import Contracts

/// Leaf, intermediate and trusted root of something whose signature was good.
package struct CheckedChain: Hashable, Sendable {
    /// DER; the last one is the root that they led to, which need not be the one presented.
    let certificates: [[UInt8]]
    /// Milliseconds since 1970 from which all three certificates are valid.
    let validFrom: Int64
    /// Milliseconds since 1970 up to which all three certificates are valid.
    let validUntil: Int64

    /// Whether all three certificates are valid at `time`.
    package func isValid(at time: Timestamp) -> Bool {
        validFrom <= time.milliseconds && time.milliseconds <= validUntil
    }
}

/// What a chain check keeps of the leaf, in whatever kind of signed data.
protocol ChainedLeaf: Sendable {
    var chain: CheckedChain { get }
}

extension ChainCache where Leaf: ChainedLeaf {
    /// The chains that verified lately, each once, the newest first: many headers may carry one.
    var chains: [CheckedChain] {
        var seen: Set<CheckedChain> = []
        return leaves.reversed().map(\.chain).filter { seen.insert($0).inserted }
    }
}
