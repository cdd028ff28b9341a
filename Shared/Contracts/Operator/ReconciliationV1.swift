/// How far a reconciliation is, and a page of the transactions that it found in one partition.
package struct ReconciliationV1: Codable, Hashable, Sendable {
    /// What the partition that asks Apple knows.
    package struct Progress: Codable, Hashable, Sendable {
        package var isDryRun: Bool
        /// Whether Apple was asked for everything.
        package var isFinished = false
        /// What is being asked for, such as `com.example.game Production: page 2`.
        package var step = ""
        /// Notifications that Apple told of, each as often as it did.
        package var notifications = 0
        /// Transactions that were sent to their partitions, each as often as Apple told of it.
        package var sent = 0
        /// What cannot be used, the first of many.
        package var unusable: [Unusable] = []
        package var unusableCount = 0
        /// What could not be asked for, a sentence each.
        package var problems: [String] = []

        package init(isDryRun: Bool) { self.isDryRun = isDryRun }
    }

    /// Something of Apple's that cannot be used, or was not taken.
    package struct Unusable: Codable, Hashable, Sendable {
        package var notificationUUID: String?
        package var transactionId: String?
        /// Why, such as `badSignature`.
        package var problem: String
        /// Whether it is genuine and the app does not take it.
        package var refused: Bool

        package init(notificationUUID: String?, transactionId: String?, problem: String, refused: Bool) {
            self.notificationUUID = notificationUUID
            self.transactionId = transactionId
            self.problem = problem
            self.refused = refused
        }
    }

    /// The status of a transaction's claim.
    package struct ClaimStatus: Codable, Hashable, Sendable {
        /// `unknown`, `proposed`, `held` or `orphan`.
        package var state: String
        package var buyerId: BuyerID?
        package var orderId: OrderID?
        /// Whether Apple has taken it back, as far as is known here.
        package var revoked: Bool

        package init(_ claim: ClaimsV1.Claim?) {
            state = claim?.state ?? "unknown"
            buyerId = claim?.buyerId
            orderId = claim?.orderId
            revoked = claim?.isRevoked ?? false
        }
    }

    /// A transaction that Apple told of, and its claim before and after.
    package struct Transaction: Codable, Hashable, Sendable {
        package var bundleId: BundleID
        package var environment: Environment
        package var transactionId: TransactionID
        package var productId: ProductID
        package var before: ClaimStatus
        /// Nil in a dry run.
        package var after: ClaimStatus?
        /// What submitting it would change; in a dry run only.
        package var wouldBe: String?
        /// Whether its claim is not as before, or would not be.
        package var changed: Bool
        /// Whether it was submitted and its claim does not know it yet.
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

    /// Nil where another partition asks Apple.
    package var progress: Progress?
    /// Transactions that the page goes over, whether they are listed or not.
    package var count = 0
    /// Those of them that were unknown here.
    package var unknown = 0
    /// How often Apple told of them.
    package var received = 0
    package var transactions: [Transaction] = []
    /// Where the next page begins; absent from the last.
    package var next: [String]?

    package init(progress: Progress? = nil) { self.progress = progress }
}
