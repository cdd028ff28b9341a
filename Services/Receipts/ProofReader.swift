import AppStore
import Contracts
import ReceiptsCore

/// Turns a proof into the transactions that Apple signed.
///
/// The one door for every kind of proof: a kind that is new in `ProofKind` is read here.
protocol ProofReader: Sendable {
    /// The transactions in a proof, in any order; `now` counts where the proof does not say when it was signed.
    func transactions(in proof: Proof, now: Timestamp) throws(ProofFailure) -> [SignedTransaction]
}

/// Reads proofs by Apple's signatures.
struct AppStoreProofReader: ProofReader {
    private let transactions: TransactionVerifier

    /// Trusts Apple's roots and, in a test home, the DER of others.
    init(extraRoots: [[UInt8]]) { transactions = TransactionVerifier(extraRoots: extraRoots) }

    func transactions(in proof: Proof, now: Timestamp) throws(ProofFailure) -> [SignedTransaction] {
        switch proof.kind {
        case .signedTransaction: [try transaction(proof.text, now)]
        }
    }

    private func transaction(_ jws: String, _ now: Timestamp) throws(ProofFailure) -> SignedTransaction {
        do {
            return try transactions.verify(jws, now: now).transaction
        } catch {
            throw ProofFailure(error.reason)
        }
    }
}

extension ProofFailure {
    /// What a failed verification says of a proof; for whom it was signed is not asked of the verifier.
    fileprivate init(_ reason: VerificationFailure.Reason) {
        self =
            switch reason {
            case .tooLarge: .tooLarge
            case .malformed: .malformed
            case .unsigned: .unsigned
            case .untrusted: .untrusted
            case .expiredCertificate: .expiredCertificate
            case .badSignature: .badSignature
            case .unreadable, .wrongApp, .wrongEnvironment: .unreadable
            }
    }
}
