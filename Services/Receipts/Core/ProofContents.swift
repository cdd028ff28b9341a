package import Contracts

/// The contents of a genuine proof.
package struct ProofContents: Codable, Equatable, Sendable {
    /// In any order.
    package let transactions: [SignedTransaction]
    /// Number of further transactions that cannot be read.
    package var unreadable = 0
    /// Apple's number for the app, if the proof contains it.
    package var appAppleId: Int64?

    package init(transactions: [SignedTransaction], unreadable: Int = 0, appAppleId: Int64? = nil) {
        self.transactions = transactions
        self.unreadable = unreadable
        self.appAppleId = appAppleId
    }

    /// Whether an operator's retry asks Apple again.
    package var isRetriable: Bool { unreadable > 0 }

    init(_ result: AppleJobResult) {
        transactions = result.transactions
        unreadable = result.unreadable
        appAppleId = result.appAppleId
    }
}
