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

    /// What to request from Apple.
    package enum Subject: Hashable, Sendable {
        /// Notifications that Apple sent or tried to send.
        case notifications(since: Timestamp, until: Timestamp)
        /// All purchases of these transactions' Apple accounts in the app, changed after `since`.
        case history(transactionIds: [TransactionID], since: Timestamp?)
        /// The transactions of the order number in the buyer's e-mail; there are none in the sandbox.
        case order(appleOrderId: String)
    }

    package var reconciliationId: EventID
    /// Compare only; submit nothing.
    package var isDryRun: Bool
    package var steps: [Step]

    package init(reconciliationId: EventID, isDryRun: Bool, steps: [Step]) {
        self.reconciliationId = reconciliationId
        self.isDryRun = isDryRun
        self.steps = steps
    }
}

/// An object with one member named after the case.
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

    /// Encodes the one member.
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
