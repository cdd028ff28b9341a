import Contracts
import Delivery
import Foundation
import ReceiptsCore

/// One attempt to ask Apple: all that is needed to make it, outside any transaction.
struct AppleJob: Codable, Equatable {
    /// What is asked.
    enum Kind: Codable, Equatable {
        /// What a proof is worth.
        case proof(ProofPart)
        /// Which of a receipt's transactions Apple took back.
        case confirmation(ProofPart, [TransactionID])
        /// What Apple knows of a customer.
        case history(HistoryQuery)
        /// Which notifications Apple sent, or tried to send.
        case notifications(NotificationSpan)
        /// What a reconciliation wants to know.
        case reconciliation(Reconciliation.Lookup)
        /// Whether a subscription went on that has come to its end.
        case renewalCheck(RenewalCheck)
    }

    let id: String
    let bundleID: BundleID
    let api: AppleAPI
    /// The partition whose query it is; each has a part of the app's limit of its own.
    let partition: Int
    let askedAt: Timestamp
    var attempts = 0
    var refusals = 0
    var troubles = 0
    let kind: Kind

    /// Whose queue it travels.
    var queue: AppleQueue { AppleQueue(bundleID: bundleID, api: api) }

    /// The job as the work item that is handed out.
    func item() throws -> WorkItem {
        WorkItem(key: queue.prefix + id, payload: [UInt8](try JSONEncoder().encode(self)))
    }

    /// The job in a work item.
    init(_ item: WorkItem) throws { self = try JSONDecoder().decode(AppleJob.self, from: Data(item.payload)) }

    init(
        id: String,
        of bundleID: BundleID,
        to api: AppleAPI,
        partition: Int,
        askedAt: Timestamp,
        _ kind: Kind
    ) {
        self.id = id
        self.bundleID = bundleID
        self.api = api
        self.partition = partition
        self.askedAt = askedAt
        self.kind = kind
    }
}

/// What of a submission is needed to ask about its proof.
struct ProofPart: Codable, Equatable {
    let kind: ProofKind
    let text: String
}

/// A page of the notifications of an environment.
struct NotificationSpan: Codable, Equatable {
    let environment: Environment
    let span: HistoryCursor.Span
}

/// A subscription that has come to its end without a word of Apple's.
struct RenewalCheck: Codable, Equatable {
    let environment: Environment
    let purchaseId: PurchaseID
    let transactionId: TransactionID
    let expiresDate: Timestamp
}

/// What came of an job.
struct AppleJobResult: Codable, Equatable {
    /// The kinds of outcome, each with one meaning.
    enum Outcome: String, Codable {
        case found, contradicted, unknown, tooLarge, refused, doubted, unavailable, unauthorized
    }

    var outcome: Outcome
    /// When to ask again, where that is said.
    var until: Timestamp?
    /// Apple's final word, with `refused`.
    var failure: ProofFailure?
    /// What stood in the way, in a few words for the operator; never a receipt, a token or a key.
    var trouble: String?
    var transactions: [SignedTransaction] = []
    var unreadable = 0
    /// Apple's number of the app, where an answer about a proof says it.
    var appAppleId: Int64?
    var notifications: [NotificationRecoveredV1] = []
    /// The place of the next page; nil when there is none.
    var next: String?
    /// What was found for a reconciliation.
    var findings: [AppleFinding] = []

    init(_ outcome: Outcome, until: Timestamp? = nil, trouble: String? = nil) {
        self.outcome = outcome
        self.until = until
        self.trouble = trouble
    }

    /// What was found of a proof or a customer.
    static func found(
        _ transactions: [SignedTransaction],
        unreadable: Int = 0,
        next: String? = nil
    ) -> AppleJobResult {
        var report = AppleJobResult(.found)
        report.transactions = transactions
        report.unreadable = unreadable
        report.next = next
        return report
    }

    /// Apple's word for good.
    static func refused(_ failure: ProofFailure) -> AppleJobResult {
        var report = AppleJobResult(.refused)
        report.failure = failure
        return report
    }

    func bytes() throws -> [UInt8] { [UInt8](try JSONEncoder().encode(self)) }

    init(bytes: [UInt8]) throws { self = try JSONDecoder().decode(AppleJobResult.self, from: Data(bytes)) }
}
