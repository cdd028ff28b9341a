package import Contracts

/// A transaction that Apple signed; only the verifier makes one.
///
/// It says that the payment is real, not whose it is, nor that it belongs to this app: `require` asks for
/// that, so that a genuine payment for another app can be kept and not lost.
package struct VerifiedTransaction: Hashable, Sendable {
    /// What Apple signed, every field of it.
    package let transaction: SignedTransaction

    init(_ transaction: SignedTransaction) { self.transaction = transaction }

    /// Refuses a transaction of another app or, after that, of another environment.
    package func require(
        bundleId: BundleID,
        environments: Set<Environment>
    ) throws(VerificationFailure) {
        try ExpectedOrigin(bundleId: bundleId.rawValue, environments: environments).check(transaction.origin)
    }
}
