package import Contracts

/// What a genuine proof holds.
package struct ProofContents: Codable, Equatable, Sendable {
    /// In any order.
    package let transactions: [SignedTransaction]
    /// How many more there are that cannot be read.
    package var unreadable = 0
    /// Apple's number of the app, where the proof says it.
    package var appAppleId: Int64?

    package init(transactions: [SignedTransaction], unreadable: Int = 0, appAppleId: Int64? = nil) {
        self.transactions = transactions
        self.unreadable = unreadable
        self.appAppleId = appAppleId
    }

    /// Whether Apple is asked again when an operator has the proof judged again.
    package var isRetriable: Bool { unreadable > 0 }

    /// What Apple answered.
    init(_ result: AppleJobResult) {
        transactions = result.transactions
        unreadable = result.unreadable
        appAppleId = result.appAppleId
    }
}
