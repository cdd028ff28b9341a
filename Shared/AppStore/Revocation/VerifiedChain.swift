package import Contracts

/// Leaf, intermediate and trusted root of something whose signature was good.
package struct VerifiedChain: Hashable, Sendable {
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

/// The outcome of a chain check: the leaf's key, and the chain.
struct VerifiedLeaf<Key: Sendable>: Sendable {
    let key: Key
    let chain: VerifiedChain

    /// Refuses what was signed at `time`, when the chain was not valid.
    func requireValid(at time: Timestamp) throws(VerificationFailure) {
        guard chain.isValid(at: time) else {
            throw VerificationFailure(
                .expiredCertificate,
                "a certificate is not valid at the time of signature"
            )
        }
    }
}
