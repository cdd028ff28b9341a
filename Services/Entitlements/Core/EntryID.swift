package import Contracts
import Domain

/// The id of a line of a ledger: derived from what it says, so that a store that was restored writes the same again.
///
/// A purchase is granted once, so that the grant needs no date: whichever of its statements comes first. What was paid
/// back is dated by the refund, which every later statement repeats; what was returned by the statement that said so.
package struct EntryID: Hashable, Sendable {
    package let text: String

    /// The id of a line that follows from `facts`, the newest that are known.
    ///
    /// `isRepeated` says that the same was paid back before, and returned since: then the statement dates it, too.
    package init(_ line: Grant.Line, of facts: TransactionFacts, isRepeated: Bool = false) {
        let name = [
            facts.environment.rawValue, facts.bundleId.rawValue, facts.purchaseId.rawValue,
            line.kind.rawValue,
            line.entitlement,
        ]
        let date = facts.revocationDate ?? facts.signedDate
        var fact = [String(date.milliseconds), String(RefundedShare(facts).milliunits)]
        if isRepeated { fact.append(String(facts.signedDate.milliseconds)) }
        text = DerivedID.hexadecimal(line.kind == .grant ? name : name + fact)
    }

    /// The id that `text` writes; nil when it is none.
    package init?(_ text: String) {
        guard DerivedID.isOne(text) else { return nil }
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
