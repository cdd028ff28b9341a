package import Contracts

/// One attempt to ask Apple: all that is needed to make it, outside any transaction of the store.
package struct AppleJob: Codable, Equatable, Sendable {
    /// What Apple is asked.
    package enum Kind: Codable, Equatable, Sendable {
        /// What a proof is worth.
        case proof(ProofText)
        /// Which of a receipt's transactions were revoked.
        case confirmation(ProofText, [TransactionID])
        /// What a customer bought.
        case history(HistoryQuery)
        /// A page of the notifications that Apple sent, or tried to send.
        case notifications(Environment, HistoryCursor.Span)
        /// A page for a reconciliation.
        case reconciliation(Reconciliation.Lookup)
        /// Whether a subscription was renewed.
        case renewalCheck(RenewalCheck)
    }

    package let id: String
    package let queue: AppleQueue
    /// The partition that asks; each has its own share of the app's rate limit.
    package let partition: Int
    /// When the query was made; of an older one the result does not count.
    package let askedAt: Timestamp
    package var attempts = 0
    package var refusals = 0
    /// Attempts since the last answer.
    package var failures = 0
    package let kind: Kind

    package init(id: String, queue: AppleQueue, partition: Int, askedAt: Timestamp, _ kind: Kind) {
        self.id = id
        self.queue = queue
        self.partition = partition
        self.askedAt = askedAt
        self.kind = kind
    }

    /// The next attempt with a query.
    package init(_ query: AppleQuery, partition: Int, _ kind: Kind) {
        self.init(id: query.id, queue: query.queue, partition: partition, askedAt: query.askedAt, kind)
        attempts = query.attempts
        refusals = query.refusals
        failures = query.failures
    }

    /// The size of the proof that it carries, in bytes.
    var proofBytes: Int {
        switch kind {
        case .proof(let proof), .confirmation(let proof, _): proof.text.utf8.count
        case .history, .notifications, .reconciliation, .renewalCheck: 0
        }
    }
}

/// A proof as Apple is asked about it.
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
    /// Any transaction of the customer's.
    package let transactionId: TransactionID
    /// Only what was bought since then; nil for everything.
    package var since: Timestamp?
    /// Apple's name for the next page; nil for the first.
    package var page: String?

    package init(environment: Environment, transactionId: TransactionID, since: Timestamp? = nil) {
        self.environment = environment
        self.transactionId = transactionId
        self.since = since
    }
}
