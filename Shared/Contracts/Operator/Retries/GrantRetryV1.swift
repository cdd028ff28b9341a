/// Checks parked grants against the current catalog again, a page at a time.
///
/// - Sent by: operator
/// - Received by: entitlements
package struct GrantRetryV1: RequestContract, Hashable {
    package typealias Reply = RetryPage

    package static let type: EventType = "counterfoil.grant.retry.v1"

    package var scope: RetryScope = RetryScope()
    /// The previous page's `next`; nil for the first page.
    package var after: [String]? = nil
}
