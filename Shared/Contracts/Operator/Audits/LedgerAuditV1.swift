/// Proves one partition's ledger against what is kept beside it, some buyers at a time.
///
/// - Sent by: operator
/// - Received by: entitlements
package struct LedgerAuditV1: RequestContract, Hashable {
    package typealias Reply = LedgerAuditPage

    package static let type: EventType = "counterfoil.ledger.audit.v1"

    /// The previous page's `next`, an app and a buyer; nil for the first page.
    package var after: [String]? = nil
    /// The last buyer, whatever the size of the page; nil for as many as a page has.
    package var upTo: [String]? = nil
}
