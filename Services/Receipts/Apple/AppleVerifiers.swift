import AppStore

/// The verifiers of everything that Apple signs, each with the chains that it knows; one set for a process.
struct AppleVerifiers: Sendable {
    let transactions: TransactionVerifier
    let notifications: NotificationVerifier
    let appReceipts: AppReceiptVerifier

    /// Trusts Apple's roots and, in a test home, the DER of others.
    init(extraRoots: [[UInt8]] = []) {
        transactions = TransactionVerifier(extraRoots: extraRoots)
        notifications = NotificationVerifier(extraRoots: extraRoots)
        appReceipts = AppReceiptVerifier(extraRoots: extraRoots)
    }

    /// The certificates by which something was found genuine lately.
    var chainsInUse: [VerifiedChain] {
        transactions.chainsInUse + notifications.chainsInUse + appReceipts.chainsInUse
    }
}
