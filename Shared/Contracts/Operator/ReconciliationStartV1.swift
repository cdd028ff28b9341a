/// Starts a job that compares what Apple knows with what is known here; the same id again starts nothing.
///
/// - Sent by: operator
/// - Received by: receipts (partition of `reconciliationId`; it is the one that asks Apple)
package struct ReconciliationStartV1: Request, Hashable {
    package typealias Reply = ReconciliationV1

    package static let type: EventType = "counterfoil.reconciliation.start.v1"

    /// One thing that Apple is asked for, in as many pages as it has.
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

    /// What Apple is asked for.
    package enum Subject: Codable, Hashable, Sendable {
        /// The notifications that Apple sent or tried to send.
        case notifications(since: Timestamp, until: Timestamp)
        /// Everything that the Apple accounts of these transactions bought in the app, changed after `since`.
        case history(transactionIds: [TransactionID], since: Timestamp?)
        /// The transactions of the number on the buyer's e-mail; there are none in the sandbox.
        case order(appleOrderId: String)
    }

    package var reconciliationId: EventID
    /// Whether to compare only, and to submit nothing.
    package var isDryRun: Bool
    package var steps: [Step]

    package init(reconciliationId: EventID, isDryRun: Bool, steps: [Step]) {
        self.reconciliationId = reconciliationId
        self.isDryRun = isDryRun
        self.steps = steps
    }
}
