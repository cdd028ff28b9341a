package import Crypto

/// The outcome of a chain check: the key that signs, and when the whole chain is valid.
package struct SigningLeaf: ChainedLeaf {
    /// The leaf certificate's key.
    package let key: P256.Signing.PublicKey
    let chain: CheckedChain

    /// Milliseconds since 1970 from which all three certificates are valid.
    package var validFrom: Int64 { chain.validFrom }
    /// Milliseconds since 1970 up to which all three certificates are valid.
    package var validUntil: Int64 { chain.validUntil }

    /// Whether all three certificates are valid at `milliseconds` since 1970.
    package func isValid(at milliseconds: Int64) -> Bool {
        validFrom <= milliseconds && milliseconds <= validUntil
    }

    /// Whether this leaf's key signed `jws`.
    func signed(_ jws: CompactJWS) -> Bool {
        do {
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: jws.signature)
            return key.isValidSignature(signature, for: jws.signingInput)
        } catch {
            return false
        }
    }
}
