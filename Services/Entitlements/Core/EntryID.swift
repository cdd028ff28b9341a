package import Contracts

/// The id of a line of a ledger: its number in the buyer's ledger, then what makes it unique.
///
/// The number in front lets a page be found where the last one ended, without an index of its own.
package struct EntryID: Hashable, Sendable {
    package let number: Int64
    package let text: String

    /// The id of line `number` of a buyer's ledger.
    package init(number: Int64, identifier: EventID) {
        self.number = number
        text = "\(number)-\(identifier)"
    }

    /// The id that `text` writes; nil when it is none.
    package init?(_ text: String) {
        guard let dash = text.firstIndex(of: "-"), let number = Int64(text[..<dash]) else { return nil }
        self.number = number
        self.text = text
    }
}

/// Which page of a ledger is asked for.
package struct LedgerPage: Hashable, Sendable {
    /// Most lines that one answer holds.
    package static let maximumLines = 1_000

    /// Why there is no such page.
    package enum Refusal: Error, Equatable { case after, limit }

    /// The line after which the page begins; nil for the first page.
    package let after: EntryID?
    package let limit: Int

    /// The page that a request asks for; whether the ledger has a line `after` only the ledger knows.
    package init(_ request: LedgerGetV1) throws(Refusal) {
        guard (1...Self.maximumLines).contains(request.limit) else { throw .limit }
        limit = request.limit
        guard let text = request.after else {
            after = nil
            return
        }
        guard let after = EntryID(text) else { throw .after }
        self.after = after
    }

    /// The answer, made of the lines found when one more than `limit` was asked for.
    package func answer(_ found: [LedgerEntry]) -> LedgerV1 {
        let entries = Array(found.prefix(limit))
        return LedgerV1(entries: entries, next: found.count > limit ? entries.last?.entryId : nil)
    }
}
