/// A page of a buyer's ledger, oldest entry first.
package struct LedgerV1: Codable, Hashable, Sendable {
    package var entries: [LedgerEntry]
    /// What to pass as `after` for the next page; absent on the last one.
    package var next: String?

    package init(entries: [LedgerEntry], next: String? = nil) {
        self.entries = entries
        self.next = next
    }
}
