/// Proves a part of one partition's ledger against what is kept beside it, a page at a time.
///
/// - Sent by: operator
/// - Received by: entitlements
package struct LedgerAuditV1: RequestContract, Hashable {
    package typealias Reply = LedgerAuditPage

    package static let type: EventType = "counterfoil.ledger.audit.v1"

    /// What is proven.
    package enum Part: String, Codable, Sendable, CaseIterable {
        /// What each buyer holds, from the entries; a page has some buyers.
        case balances
        /// The grant of each purchase, from the entries; a page has some purchases.
        case grants
    }

    package var part: Part
    /// The previous page's `next`; nil for the first page.
    package var after: [String]?

    package init(_ part: Part, after: [String]? = nil) {
        self.part = part
        self.after = after
    }
}
