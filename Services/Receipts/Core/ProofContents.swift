import Contracts

/// The contents of a genuine proof.
struct ProofContents: Codable, Equatable, Sendable {
    /// In any order.
    let transactions: [SignedTransaction]
    /// Number of further transactions that cannot be read.
    var unreadable = 0
    /// Apple's number for the app, if the proof contains it.
    var appAppleId: Int64?

    init(transactions: [SignedTransaction], unreadable: Int = 0, appAppleId: Int64? = nil) {
        self.transactions = transactions
        self.unreadable = unreadable
        self.appAppleId = appAppleId
    }

    /// Whether an operator's retry asks Apple again.
    var isRetriable: Bool { unreadable > 0 }

    init(_ result: AppleJobResult) {
        transactions = result.transactions
        unreadable = result.unreadable
        appAppleId = result.appAppleId
    }
}
