package import Contracts

/// Leaf, intermediate and trusted root of something whose signature was good.
package struct VerifiedChain: Hashable, Sendable {
    /// DER; the last one is the trusted root, which need not be the one presented.
    let certificates: [[UInt8]]
    /// Milliseconds since 1970.
    let validFrom: Int64
    /// Milliseconds since 1970.
    let validUntil: Int64

    /// Whether all three certificates are valid at `time`.
    package func isValid(at time: Timestamp) -> Bool {
        validFrom <= time.milliseconds && time.milliseconds <= validUntil
    }
}
