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
    package enum Subject: Hashable, Sendable {
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

/// One member, which is named after the case and holds what belongs to it.
extension ReconciliationStartV1.Subject: Codable {
    private enum CodingKeys: String, CodingKey { case notifications, history, order }
    private struct Span: Codable { let since, until: Timestamp }
    private struct Accounts: Codable {
        let transactionIds: [TransactionID]
        let since: Timestamp?
    }
    private struct Number: Codable { let appleOrderId: String }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        if let span = try members.decodeIfPresent(Span.self, forKey: .notifications) {
            self = .notifications(since: span.since, until: span.until)
        } else if let accounts = try members.decodeIfPresent(Accounts.self, forKey: .history) {
            self = .history(transactionIds: accounts.transactionIds, since: accounts.since)
        } else {
            self = .order(appleOrderId: try members.decode(Number.self, forKey: .order).appleOrderId)
        }
    }

    /// Writes the one member.
    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .notifications(let since, let until):
            try members.encode(Span(since: since, until: until), forKey: .notifications)
        case .history(let transactions, let since):
            try members.encode(Accounts(transactionIds: transactions, since: since), forKey: .history)
        case .order(let number): try members.encode(Number(appleOrderId: number), forKey: .order)
        }
    }
}
