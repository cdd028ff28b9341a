import Contracts
import Domain

/// The contents of a genuine proof.
struct ProofContents: Codable, Equatable, Sendable {
    /// In any order.
    var transactions: [SignedTransaction] = []
    /// When Apple signed the proof that a phone handed in; nil of what Apple has answered, and of a proof that does not
    /// say it.
    var signedAt: Timestamp?
    /// Number of further transactions that cannot be read.
    var unreadable = 0
    /// Apple's number for the app, if the proof contains it.
    var appAppleId: Int64?
    /// The version of the app that has the proof; nil if the proof does not say it.
    var applicationVersion: String?

    /// A version as the receipt has it; one without room in a message is as good as none.
    static func version(_ text: String) -> String {
        text.isPrintable(bytes: Limits.versionBytes) ? text : ""
    }

    /// Whether an operator's retry asks Apple again.
    var isRetriable: Bool { unreadable > 0 }
}

extension ProofContents: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        transactions = try json.member("transactions", value?.transactions)
        signedAt = try json.optional("signedAt", value?.signedAt)
        unreadable = try json.member("unreadable", value?.unreadable)
        appAppleId = try json.optional("appAppleId", value?.appAppleId)
        applicationVersion = try json.optional("applicationVersion", value?.applicationVersion)
        try json.close()
    }
}
