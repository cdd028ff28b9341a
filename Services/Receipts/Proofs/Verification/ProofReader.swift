import AppStore
import Contracts

/// Turns a proof of any `ProofKind` into the transactions that Apple signed.
protocol ProofReader: Sendable {
    /// The contents; `now` replaces a missing signing time.
    func contents(of proof: Proof, now: Timestamp) throws(ProofFailure) -> ProofContents
    /// The proof that a phone hands in, taken apart.
    func proof(of submission: ReceiptSubmitV1) -> Proof
}

extension ProofReader {
    func proof(of submission: ReceiptSubmitV1) -> Proof {
        Proof(kind: submission.kind, text: submission.proof, deviceID: submission.deviceId)
    }
}

extension ProofFailure {
    /// The verifier does not check for which app a proof was signed.
    init(_ reason: VerificationFailure.Reason) {
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
