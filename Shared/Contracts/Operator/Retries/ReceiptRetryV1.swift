/// Judges parked submissions, orphaned transactions and parked notifications again, a page at a time.
///
/// - Sent by: operator
/// - Received by: receipts
package struct ReceiptRetryV1: RequestContract, Hashable {
    package typealias Reply = RetryPage

    package static let type: EventType = "counterfoil.receipt.retry.v1"

    /// A submission named by its receipt is judged again whatever its state.
    package var scope: RetryScope = RetryScope()
    /// The previous page's `next`; nil for the first page.
    package var after: [String]? = nil
}
