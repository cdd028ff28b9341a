/// Has parked submissions, orphaned transactions and parked notifications judged again, a page at a time.
///
/// - Sent by: operator
/// - Received by: receipts
package struct ReceiptRetryV1: Request, Hashable {
    package typealias Reply = RetryPage

    package static let type: EventType = "counterfoil.receipt.retry.v1"

    /// Which of them; a submission that is named by its receipt is judged again whatever its state.
    package var scope: RetryScope
    /// Where the page begins, as the one before it said; nil for the first.
    package var after: [String]?

    package init(scope: RetryScope = RetryScope(), after: [String]? = nil) {
        self.scope = scope
        self.after = after
    }
}
