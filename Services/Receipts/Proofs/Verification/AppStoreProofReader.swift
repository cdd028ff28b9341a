import AppStore
import Contracts

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
