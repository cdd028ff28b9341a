import Contracts

/// The contents of a genuine proof.
struct ProofContents: Codable, Equatable, Sendable {
    /// In any order.
    var transactions: [SignedTransaction] = []
    /// Number of further transactions that cannot be read.
    var unreadable = 0
    /// Apple's number for the app, if the proof contains it.
    var appAppleId: Int64?

    /// Whether an operator's retry asks Apple again.
    var isRetriable: Bool { unreadable > 0 }
}

extension ProofContents: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        transactions = try json.member("transactions", value?.transactions)
        unreadable = try json.member("unreadable", value?.unreadable)
        appAppleId = try json.optional("appAppleId", value?.appAppleId)
        try json.close()
    }
}
