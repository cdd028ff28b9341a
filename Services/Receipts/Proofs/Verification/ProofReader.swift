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

struct AppStoreProofReader: ProofReader {
    let verifiers: AppleVerifiers

    func contents(of proof: Proof, now: Timestamp) throws(ProofFailure) -> ProofContents {
        switch proof.kind {
        case .signedTransaction: try signedTransaction(proof.bytes, now)
        case .appReceipt: try appReceipt(proof)
        case .transactionReceipt: throw try transactionReceipt(proof)
        case .transactionId: throw proof.isTransactionID ? .unverified : .malformed
        }
    }

    private func signedTransaction(_ jws: [UInt8], _ now: Timestamp) throws(ProofFailure) -> ProofContents {
        do {
            let signed = try verifiers.transactions.verify(jws, now: now)
            let signedAt = Timestamp(milliseconds: signed.signedDate)
            return ProofContents(transactions: [signed], signedAt: signedAt)
        } catch {
            throw ProofFailure(error.reason)
        }
    }

    /// The app's purchases; the receipt contains its signing time.
    private func appReceipt(_ proof: Proof) throws(ProofFailure) -> ProofContents {
        guard proof.isDecoded else { throw .malformed }
        do {
            let receipt = try verifiers.appReceipts.verify(proof.bytes, deviceID: proof.deviceID)
            return ProofContents(
                transactions: receipt.transactions,
                signedAt: receipt.creationDate,
                unreadable: receipt.unreadableRows,
                appAppleId: receipt.adamId,
                applicationVersion: ProofContents.version(receipt.applicationVersion)
            )
        } catch {
            throw Self.failure(error.reason, of: proof.bytes)
        }
    }

    /// The failure of an app receipt, which is checked only against the device.
    ///
    /// An unknown format of signed data may be Apple's next one, so it is kept.
    private static func failure(_ reason: VerificationFailure.Reason, of receipt: [UInt8]) -> ProofFailure {
        switch reason {
        case .wrongApp: .wrongDevice
        case .malformed where ReceiptText.isSignedData(receipt): .unreadable
        default: ProofFailure(reason)
        }
    }

    private func transactionReceipt(_ proof: Proof) throws(ProofFailure) -> ProofFailure {
        guard proof.bytes.count <= TransactionReceipt.maximumBytes else { throw .tooLarge }
        guard TransactionReceipt.transactionID(in: proof.text) != nil else { throw .malformed }
        return .unverified
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
