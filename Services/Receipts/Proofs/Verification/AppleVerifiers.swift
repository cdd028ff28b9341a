import AppStore
import Contracts

/// The verifiers of everything that Apple signs, with their known certificate chains; one set per process.
struct AppleVerifiers: Sendable {
    let transactions: TransactionVerifier
    let notifications: ServerNotificationVerifier
    let appReceipts: AppReceiptVerifier

    /// Trusts Apple's roots and, in a test home, the DER of others.
    init(extraRoots: [[UInt8]] = []) {
        transactions = TransactionVerifier(extraRoots: extraRoots)
        notifications = ServerNotificationVerifier(extraRoots: extraRoots)
        appReceipts = AppReceiptVerifier(extraRoots: extraRoots)
    }

    var chainsInUse: [VerifiedChain] {
        transactions.chainsInUse + notifications.chainsInUse + appReceipts.chainsInUse
    }
}

extension TransactionVerifier {
    /// What a JWS says of the renewal of a transaction's subscription; nil if Apple did not sign it, or it is
    /// another's.
    func renewal(in jws: String, of transaction: SignedTransaction, now: Timestamp) -> RenewalFacts? {
        do throws(VerificationFailure) {
            return RenewalFacts(try renewalInfo(jws, now: now), of: transaction, now: now)
        } catch {
            return nil
        }
    }
}
