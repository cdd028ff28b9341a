package import Contracts

/// Checks StoreKit 2's signed transactions.
package struct TransactionVerifier: Sendable {
    private let verifier: SignedDataVerifier

    package init(extraRoots: [[UInt8]] = []) { verifier = SignedDataVerifier(extraRoots: extraRoots) }

    package var chainsInUse: [VerifiedChain] { verifier.chainsInUse }

    /// The transaction in `jws` if Apple signed it, whichever app and environment it is of.
    package func verify(_ jws: String, now: Timestamp) throws(VerificationFailure) -> VerifiedTransaction {
        try verify(Array(jws.utf8), now: now)
    }

    /// The transaction in the bytes of a JWS if Apple signed it, whichever app and environment it is of.
    package func verify(_ jws: [UInt8], now: Timestamp) throws(VerificationFailure) -> VerifiedTransaction {
        VerifiedTransaction(transaction: try verifier.verify(jws, now: now))
    }
}

/// A transaction that Apple signed; only the verifier makes one.
///
/// The payment is real; whose it is, and that it belongs to this app, is still to be checked, so that a genuine payment
/// for another app is not lost.
package struct VerifiedTransaction: Hashable, Sendable {
    /// What Apple signed, every field of it.
    package let transaction: SignedTransaction
}
