/// A page of a buyer's ledger, oldest entry first.
package struct LedgerV1: Codable, Hashable, Sendable {
    package var entries: [LedgerEntry]
    /// The next page's `after`; absent on the last page.
    package var next: String? = nil
}
