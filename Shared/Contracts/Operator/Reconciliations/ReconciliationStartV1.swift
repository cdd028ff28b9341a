/// Starts a job that compares Apple's data with ours; repeating an id starts nothing.
///
/// - Sent by: operator
/// - Received by: receipts (partition of `reconciliationId`; it is the one that asks Apple)
package struct ReconciliationStartV1: RequestContract, Hashable {
    package typealias Reply = ReconciliationV1

    package static let type: EventType = "counterfoil.reconciliation.start.v1"

    /// One request to Apple, over all its pages.
    package struct Step: Codable, Hashable, Sendable {
        package var bundleId: BundleID
        /// Production or Sandbox.
        package var environment: Environment
        package var subject: Subject

        package init(bundleId: BundleID, environment: Environment, _ subject: Subject) {
            self.bundleId = bundleId
            self.environment = environment
            self.subject = subject
        }
    }

    /// What to request from Apple: an object with one member named after the case.
    package enum Subject: Codable, Hashable, Sendable {
        /// Notifications that Apple sent or tried to send.
        case serverNotifications(since: Timestamp, until: Timestamp)
        /// All purchases of these transactions' Apple accounts in the app, changed after `since`.
        case history(transactionIds: [TransactionID], since: Timestamp?)
        /// The transactions of the order number in the buyer's e-mail; there are none in the sandbox.
        case order(appleOrderId: String)
    }

    package var reconciliationId: EventID
    /// Compare only; submit nothing.
    package var isDryRun: Bool
    package var steps: [Step]
}
