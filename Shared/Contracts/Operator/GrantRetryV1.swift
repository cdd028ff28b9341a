/// Has parked grants held against the catalog of today, a page at a time.
///
/// - Sent by: operator
/// - Received by: entitlements
package struct GrantRetryV1: Request, Hashable {
    package typealias Reply = RetryPage

    package static let type: EventType = "counterfoil.grant.retry.v1"

    /// Which of them.
    package var scope: RetryScope
    /// Where the page begins, as the one before it said; nil for the first.
    package var after: [String]?

    package init(scope: RetryScope = RetryScope(), after: [String]? = nil) {
        self.scope = scope
        self.after = after
    }
}
