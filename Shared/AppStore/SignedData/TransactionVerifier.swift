package import Contracts

/// Checks StoreKit 2's signed transactions; app and owner are checked later, so that a payment for another app is
/// not lost.
package struct TransactionVerifier: Sendable {
    private let verifier: SignedDataVerifier

    package init(extraRoots: [[UInt8]] = []) { verifier = SignedDataVerifier(extraRoots: extraRoots) }

    package var chainsInUse: [VerifiedChain] { verifier.chainsInUse }

    /// The transaction in `jws` if Apple signed it, for any app and environment.
    package func verify(_ jws: String, now: Timestamp) throws(VerificationFailure) -> SignedTransaction {
        try verify(Array(jws.utf8), now: now)
    }

    /// The transaction in a JWS's bytes if Apple signed it, for any app and environment.
    package func verify(_ jws: [UInt8], now: Timestamp) throws(VerificationFailure) -> SignedTransaction {
        try verifier.verify(jws, now: now)
    }

    /// What is said of a renewal in `jws` if Apple signed it; it names no app and counts only beside its transaction.
    package func renewalInfo(
        _ jws: String,
        now: Timestamp
    ) throws(VerificationFailure) -> RenewalInfoPayload {
        try verifier.verify(Array(jws.utf8), now: now)
    }
}
