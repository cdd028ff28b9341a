import Contracts

/// One attempt to ask Apple, with all it needs outside the store's transactions.
struct AppleJob: Codable, Equatable, Sendable {
    enum Kind: Codable, Equatable, Sendable {
        case proof(ProofText)
        /// About the purchases of a receipt; the text only where it is sent, the environment if the receipt states one.
        case evidence(ProofText?, [TransactionID], Environment?)
        case claimEvidence(Environment, TransactionID)
        case history(HistoryQuery)
        case order(AppleOrderID)
        case serverNotifications(Environment, HistoryCursor.Span)
        case reconciliation(Reconciliation.Lookup)
        case renewalCheck(RenewalCheck)
        /// With what Apple is told; nil where that is still to be found out.
        case consumption(ConsumptionRequest.Key, ConsumptionRequest.Report?)
    }

    let id: String
    let queue: AppleQueryQueue
    /// The asking partition; each has its own share of the app's rate limit.
    let partition: Int
    /// When the query was made, or Apple's question; a newer one ignores the result.
    let askedAt: Timestamp
    /// When the query was due; nil of other jobs.
    var dueAt: Timestamp?
    var attempts = 0
    var refusals = 0
    var failures = 0
    let kind: Kind

    var proofBytes: Int {
        switch kind {
        case .proof(let proof): proof.text.utf8.count
        case .evidence(let proof, _, _): proof?.text.utf8.count ?? 0
        case .claimEvidence, .history, .order, .serverNotifications, .reconciliation, .renewalCheck,
            .consumption:
            0
        }
    }
}
