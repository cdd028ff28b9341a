import AppStore
import Contracts
import ReceiptsCore

/// Turns a proof into the transactions that Apple signed.
///
/// Every kind of `ProofKind` is read here.
protocol ProofReader: Sendable {
    /// What is in a proof; `now` stands in where the proof does not say when it was signed.
    func contents(of proof: Proof, now: Timestamp) throws(ProofFailure) -> ProofContents
}

/// Reads proofs by Apple's signatures.
struct AppStoreProofReader: ProofReader {
    private let transactions: TransactionVerifier
    private let appReceipts: AppReceiptVerifier

    init(_ verifiers: AppleVerifiers) {
        transactions = verifiers.transactions
        appReceipts = verifiers.appReceipts
    }

    /// Trusts Apple's roots and, in a test home, the DER of others.
    init(extraRoots: [[UInt8]]) { self.init(AppleVerifiers(extraRoots: extraRoots)) }

    func contents(of proof: Proof, now: Timestamp) throws(ProofFailure) -> ProofContents {
        switch proof.kind {
        case .signedTransaction: ProofContents(transactions: [try transaction(proof.bytes, now)])
        case .appReceipt: try appReceipt(proof)
        case .transactionReceipt: throw try transactionReceipt(proof)
        }
    }

    /// Everything that was bought in the app; the receipt says itself when it was signed.
    private func appReceipt(_ proof: Proof) throws(ProofFailure) -> ProofContents {
        guard proof.isDecoded else { throw .malformed }
        do {
            let receipt = try appReceipts.verify(proof.bytes, deviceID: proof.deviceID)
            return ProofContents(
                transactions: receipt.transactions,
                unreadable: receipt.unreadableRows,
                appAppleId: receipt.adamId
            )
        } catch {
            throw Self.failure(error.reason, of: proof.bytes)
        }
    }

    /// What a failure says of an app receipt, which is checked against nothing but the device.
    ///
    /// Signed data of a shape that this program does not know may be Apple's next one: it is not thrown away.
    private static func failure(_ reason: VerificationFailure.Reason, of receipt: [UInt8]) -> ProofFailure {
        switch reason {
        case .wrongApp: .wrongDevice
        case .malformed where ReceiptText.isSignedData(receipt): .unreadable
        default: ProofFailure(reason)
        }
    }

    /// What stands in the way of a receipt that bears no signature.
    private func transactionReceipt(_ proof: Proof) throws(ProofFailure) -> ProofFailure {
        guard proof.bytes.count <= TransactionReceipt.maximumBytes else { throw .tooLarge }
        guard TransactionReceipt.transactionID(in: proof.text) != nil else { throw .malformed }
        return .unverified
    }

    private func transaction(_ jws: [UInt8], _ now: Timestamp) throws(ProofFailure) -> SignedTransaction {
        do {
            return try transactions.verify(jws, now: now).transaction
        } catch {
            throw ProofFailure(error.reason)
        }
    }
}

extension ProofFailure {
    /// What a failed verification says of a proof; for whom it was signed is not asked of the verifier.
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
