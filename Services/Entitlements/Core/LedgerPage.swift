import Contracts
import Domain

/// The requested page of a ledger.
struct LedgerPage: Hashable, Sendable {
    /// The line after which the page begins; nil for the first page.
    let after: EntryID?
    let limit: Int

    /// The requested page; only the ledger knows whether it has a line `after`.
    init(_ request: LedgerGetV1) throws(RequestRefusal) {
        guard Limits.linesOfPage.contains(request.limit) else { throw .pageLimit }
        limit = request.limit
        after = request.after.flatMap(EntryID.init(rawValue:))
        guard request.after == nil || after != nil else { throw .noSuchEntry }
    }

    /// The reply, made of up to `limit` + 1 lines: the last one shows that there is another page.
    func answer(_ found: [LedgerEntry]) -> LedgerV1 {
        let entries = Array(found.prefix(limit))
        return LedgerV1(entries: entries, next: found.count > limit ? entries.last?.entryId : nil)
    }
}
