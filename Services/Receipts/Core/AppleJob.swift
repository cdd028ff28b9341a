package import Contracts

/// One attempt to ask Apple, with all it needs outside the store's transactions.
package struct AppleJob: Codable, Equatable, Sendable {
    /// What Apple is asked.
    package enum Kind: Codable, Equatable, Sendable {
        case proof(ProofText)
        case confirmation(ProofText, [TransactionID])
        case history(HistoryQuery)
        case notifications(Environment, HistoryCursor.Span)
        case reconciliation(Reconciliation.Lookup)
        case renewalCheck(RenewalCheck)
    }

    package let id: String
    package let queue: AppleQueue
    /// The asking partition; each has its own share of the app's rate limit.
    package let partition: Int
    /// When the query was made; a newer query ignores the result.
    package let askedAt: Timestamp
    package var attempts = 0
    package var refusals = 0
    package var failures = 0
    package let kind: Kind

    package init(id: String, queue: AppleQueue, partition: Int, askedAt: Timestamp, _ kind: Kind) {
        self.id = id
        self.queue = queue
        self.partition = partition
        self.askedAt = askedAt
        self.kind = kind
    }

    package init(_ query: AppleQuery, partition: Int, _ kind: Kind) {
        self.init(id: query.id, queue: query.queue, partition: partition, askedAt: query.askedAt, kind)
        attempts = query.attempts
        refusals = query.refusals
        failures = query.failures
    }

    var proofBytes: Int {
        switch kind {
        case .proof(let proof), .confirmation(let proof, _): proof.text.utf8.count
        case .history, .notifications, .reconciliation, .renewalCheck: 0
        }
    }
}

/// A proof as it is sent to Apple.
package struct ProofText: Codable, Equatable, Sendable {
    package let kind: ProofKind
    package let text: String

    package init(kind: ProofKind, text: String) {
        self.kind = kind
        self.text = text
    }
}

/// Asks what a customer bought.
package struct HistoryQuery: Codable, Equatable, Sendable {
    package let environment: Environment
    package let transactionId: TransactionID
    /// Only purchases since then; nil for all.
    package var since: Timestamp?
    /// Apple's token for the next page; nil for the first.
    package var page: String?

    package init(environment: Environment, transactionId: TransactionID, since: Timestamp? = nil) {
        self.environment = environment
        self.transactionId = transactionId
        self.since = since
    }
}
