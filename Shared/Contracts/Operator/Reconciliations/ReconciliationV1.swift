/// A reconciliation's progress, and a page of its transactions in one partition.
package struct ReconciliationV1: Codable, Hashable, Sendable {
    /// The state in the partition that asks Apple.
    package struct Progress: Codable, Hashable, Sendable {
        package var isDryRun: Bool
        /// Whether every request is complete.
        package var isFinished = false
        /// The current request, such as `com.example.game Production: page 2`.
        package var step = ""
        /// Notifications received, repeats included.
        package var serverNotifications = 0
        /// Transactions sent to their partitions, repeats included.
        package var sent = 0
        /// The first of many.
        package var unusable: [Unusable] = []
        package var unusableCount = 0
        /// Requests that failed, a sentence each.
        package var problems: [String] = []

        package init(isDryRun: Bool) { self.isDryRun = isDryRun }
    }

    /// Data from Apple that is unusable or refused.
    package struct Unusable: Codable, Hashable, Sendable {
        package var notificationUUID: String?
        package var transactionId: String?
        /// The reason, such as `badSignature`.
        package var problem: String
        /// Genuine, but the app does not accept it.
        package var refused: Bool
    }

    /// A claim's state.
    package struct ClaimStatus: Codable, Hashable, Sendable {
        /// `unknown`, `waiting`, `proposed`, `held` or `orphan`.
        package var state: String
        package var buyerId: BuyerID?
        package var orderId: OrderID?
        /// Whether Apple has revoked it, as far as known.
        package var revoked: Bool

        package init(_ claim: ClaimsV1.Claim?) {
            state = claim?.state ?? "unknown"
            buyerId = claim?.buyerId
            orderId = claim?.orderId
            revoked = claim?.isRevoked ?? false
        }
    }

    /// A transaction from Apple, and its claim before and after.
    package struct Transaction: Codable, Hashable, Sendable {
        package var bundleId: BundleID
        package var environment: Environment
        package var transactionId: TransactionID
        package var productId: ProductID
        package var before: ClaimStatus
        /// Nil in a dry run.
        package var after: ClaimStatus?
        /// The result of submitting it; in a dry run only.
        package var wouldBe: String?
        /// Whether its claim changed, or would change.
        package var changed: Bool
        /// Submitted, but not in its claim yet.
        package var isUnderWay: Bool

        package init(_ facts: TransactionFacts, before: ClaimStatus, changed: Bool, isUnderWay: Bool) {
            bundleId = facts.bundleId
            environment = facts.environment
            transactionId = facts.transactionId
            productId = facts.productId
            self.before = before
            self.changed = changed
            self.isUnderWay = isUnderWay
        }
    }

    /// Nil unless this partition asks Apple.
    package var progress: Progress?
    /// Transactions covered by the page, listed or not.
    package var count = 0
    /// Those of them that were unknown.
    package var unknown = 0
    /// Times that Apple reported them.
    package var received = 0
    package var transactions: [Transaction] = []
    /// The next page's `after`; absent on the last page.
    package var next: [String]?

    package init(progress: Progress? = nil) { self.progress = progress }
}
