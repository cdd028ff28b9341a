package import Contracts

/// Checks StoreKit 2's signed transactions.
package struct TransactionVerifier: Sendable {
    private let verifier: SignedDataVerifier

    package init(extraRoots: [[UInt8]] = []) { verifier = SignedDataVerifier(extraRoots: extraRoots) }

    /// The chains that verified lately, to be asked about by a `RevocationChecker`.
    package var chainsInUse: [CheckedChain] { verifier.chainsInUse }

    /// The transaction in `jws` if Apple signed it, whichever app and environment it is of.
    package func verify(_ jws: String, now: Timestamp) throws(VerificationFailure) -> VerifiedTransaction {
        try verify(Array(jws.utf8), now: now)
    }

    /// The transaction in the bytes of a JWS if Apple signed it, whichever app and environment it is of.
    package func verify(_ jws: [UInt8], now: Timestamp) throws(VerificationFailure) -> VerifiedTransaction {
        let transaction: SignedTransaction = try verifier.verify(jws, now: now)
        return VerifiedTransaction(transaction)
    }
}
