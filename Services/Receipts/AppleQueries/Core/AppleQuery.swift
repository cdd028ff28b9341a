import Contracts
import Domain

/// A question to Apple, stored until it is answered.
///
/// Tested by: `AppleQueryTests`.
///
/// | result       | proof | evidence, of a receipt or a claim | history | an order of Apple's |
/// |--------------|-------|-----------------------------------|---------|---|
/// | found        | judged | weighed; what a history lacks is asked about alone | a page delivered, then the next page | its transactions noted and delivered |
/// | contradicted | the next API, else failed | weighed as nothing | done | noted as unknown |
/// | unknown      | again after `unknownPauses`, then the next API, else failed | the same pauses, then weighed as nothing | the first page again, or done | noted as unknown |
/// | tooLarge     | the next API, else failed `unverified` | each is asked about alone | done | noted as unknown |
/// | refused      | failed | weighed as nothing | done | noted as unknown |
/// | doubted      | again after `doubtPauses`, and counted: only a repeated refusal is final | weighed as nothing | done | noted as unknown |
/// | unavailable  | again with backoff, without limit; not counted | the same | the same | the same |
/// | unauthorized | the same, and an operator is alerted | the same | the same | the same |
///
/// The API is asked before `verifyReceipt` if both are configured.
struct AppleQuery: Codable, Equatable, Sendable {
    enum Urgency: Int, Codable, CaseIterable, Sendable {
        /// Of one purchase for which an order is named; of these there are no more than purchases that nobody holds.
        case named = 0
        case awaited = 1
        /// A phone waits, too, with what costs nothing, so that anybody can make any number of these: a proof that is
        /// not known to be genuine, and all that is of the sandbox.
        case free = 2
        case background = 3
    }

    enum Subject: Codable, Equatable, Sendable {
        case proof(ReceiptID)
        /// What Apple knows of the purchases that a genuine receipt lists: whose they are, and what was revoked. A
        /// later receipt of a buyer that lists as much, or more, takes the place of an earlier one; that of another
        /// Apple Account does not. The environment is the receipt's; nil where it states none.
        case evidence(ReceiptID, BuyerID, Environment? = nil)
        /// What Apple knows of one purchase whose claim waits; in the end the claim is told that this was all.
        case claimEvidence(EvidenceCompletedV1)
        case history(HistoryQuery)
        /// What belongs to an order of Apple's, by the number on the buyer's e-mail.
        case order(AppleOrderID)
    }

    /// What an id begins with, by the kind of its subject.
    enum Kind: String, CaseIterable, Sendable {
        case proof, evidence, claim, history, order

        /// Matches the ids of this kind, as GLOB.
        var pattern: String { "\(rawValue)/*" }
    }

    /// What is done after a result, in this order.
    enum Directive: Equatable, Sendable {
        case judge(ProofContents)
        case fail(ProofFailure)
        /// All that Apple knows; nothing where it knows none of them. Whether it may know more of what is not among it.
        case weigh([SignedTransaction], mayKnowMore: Bool)
        case deliver([SignedTransaction])
        case deliverStatuses([FoundStatus])
        /// Notes which transactions an order has; none where it is none of the app.
        case note([SignedTransaction])
        /// Alerts an operator, unless another query of the queue has the same problem.
        case alert(String)
        case save
        case remove
    }

    /// Pauses after Apple did not know a transaction, ms: a new purchase may be known later.
    static let unknownPauses: [Int64] = [5_000, 60_000, 600_000, 3_600_000]
    /// After how many answers that Apple does not know it this is no delay any more: more than a minute.
    static let answersOfUnknown = 3
    /// Pauses after a refusal that Apple's own problems also cause, ms.
    static let doubtPauses: [Int64] = [10_000, 120_000, 900_000, 3_600_000]
    /// Pause after a problem that an operator must solve, ms.
    static let alertPause: Int64 = 15_000
    /// Longer than any pause, ms.
    static let longestPause: Int64 = 2 * 3_600_000

    private(set) var subject: Subject
    let bundleID: BundleID
    private(set) var api: AppleAPI
    let urgency: Urgency
    /// When it was last asked; results of older jobs are ignored.
    let askedAt: Timestamp
    private(set) var dueAt: Timestamp
    /// Attempts that this API answered.
    private(set) var attempts = 0
    /// Answered attempts in which Apple refused the receipt.
    private(set) var refusals = 0
    private(set) var failures = 0
    private(set) var problem: String?
    /// Whether the last attempt went out and got no answer, or a refusal of our key.
    private var wentUnanswered: Bool?

    init(
        _ subject: Subject,
        of bundleID: BundleID,
        to api: AppleAPI,
        urgency: Urgency,
        askedAt: Timestamp
    ) {
        self.subject = subject
        self.bundleID = bundleID
        self.api = api
        self.urgency = urgency
        self.askedAt = askedAt
        dueAt = askedAt
    }

    var queue: AppleQueryQueue { AppleQueryQueue(bundleID: bundleID, api: api) }

    /// Whether Apple has been asked, and has not said what it knows: our own limits do not count, nor that a new
    /// purchase is not known there at first.
    var isUnanswered: Bool { attempts >= Self.answersOfUnknown || wentUnanswered == true }

    /// One id per subject, so one query per subject at a time.
    var id: String { Self.id(of: subject, in: bundleID) }

    static func id(of subject: Subject, in bundleID: BundleID) -> String {
        switch subject {
        case .proof(let receipt): "\(Kind.proof.rawValue)/\(receipt.rawValue)"
        case .evidence(let receipt, let buyer, _): evidence(of: buyer, in: bundleID) + receipt.rawValue
        case .claimEvidence(let claim): claimEvidence(of: claim.purchaseId, claim.environment, in: bundleID)
        case .history(let query):
            "\(Kind.history.rawValue)/\(bundleID)/\(query.environment)/\(query.transactionId)"
        case .order(let order): "\(Kind.order.rawValue)/\(bundleID)/\(order)"
        }
    }

    static func claimEvidence(
        of purchase: PurchaseID,
        _ environment: Environment,
        in bundleID: BundleID
    ) -> String {
        "\(Kind.claim.rawValue)/\(bundleID.rawValue)/\(environment.rawValue)/\(purchase.rawValue)"
    }

    /// How the ids of the questions about a buyer's receipts begin.
    static func evidence(of buyer: BuyerID, in bundleID: BundleID) -> String {
        "\(Kind.evidence.rawValue)/\(bundleID.rawValue)/\(buyer.rawValue)/"
    }

    /// The query asked anew: it covers at least what `known` covers.
    func widened(by known: AppleQuery?) -> AppleQuery {
        guard case .history(var query) = subject, case .history(let earlier)? = known?.subject else {
            return self
        }
        query.since = query.since.flatMap { since in earlier.since.map { min($0, since) } }
        if earlier.asksStatuses == true { query.asksStatuses = true }
        var widened = self
        widened.subject = .history(query)
        return widened
    }

    /// Which times of queries are due at `now`.
    static func due(at now: Timestamp) -> DueTimes { DueTimes(at: now, longestPause: longestPause) }

    mutating func apply(
        _ result: AppleJobResult,
        now: Timestamp,
        apis: Set<AppleAPI>,
        random: UInt64
    ) -> [Directive] {
        problem = result.problem
        wentUnanswered = result.isUnanswered && result.isPostponed != true ? true : nil
        guard !result.isUnanswered else {
            failures += 1
            dueAt = result.retryTime(after: failures, now: now, random: random)
            let alert: [Directive] = result.outcome == .unauthorized ? [.alert(result.alert)] : []
            return alert + [.save]
        }
        failures = 0
        switch subject {
        case .proof: return judge(result, now, apis)
        case .evidence, .claimEvidence:
            if result.outcome == .unknown, askLater(now) { return [.save] }
            return [.weigh(result.contents.transactions, mayKnowMore: result.mayKnowMore), .remove]
        case .order:
            let known = result.contents.transactions
            // Who stands on the order knows what belongs to it before that is granted.
            return [.note(known), .deliver(known), .remove]
        case .history(let query):
            let statuses: [Directive] = result.statuses.isEmpty ? [] : [.deliverStatuses(result.statuses)]
            return [.deliver(result.contents.transactions)] + statuses + goOn(query, after: result, now)
        }
    }

    private mutating func judge(
        _ result: AppleJobResult,
        _ now: Timestamp,
        _ apis: Set<AppleAPI>
    ) -> [Directive] {
        switch result.outcome {
        case .found: return [.judge(result.contents), .remove]
        case .contradicted: return askNext(apis, now, else: .contradicted)
        case .tooLarge: return askNext(apis, now, else: .unverified)
        case .unknown:
            return askLater(now) ? [.save] : askNext(apis, now, else: .unknownToApple)
        case .doubted:
            let pause = Self.doubtPauses[min(refusals, Self.doubtPauses.count - 1)]
            dueAt = max(result.until ?? now, now.advanced(by: pause))
            attempts += 1
            refusals += 1
            return [.save]
        case .refused, .unavailable, .unauthorized: return [.fail(result.failure ?? .unverified), .remove]
        }
    }

    /// Whether Apple is asked again about what it does not know yet.
    private mutating func askLater(_ now: Timestamp) -> Bool {
        guard attempts < Self.unknownPauses.count else { return false }
        dueAt = now.advanced(by: Self.unknownPauses[attempts])
        attempts += 1
        return true
    }

    private mutating func askNext(
        _ apis: Set<AppleAPI>,
        _ now: Timestamp,
        else failure: ProofFailure
    ) -> [Directive] {
        guard api == .serverAPI, apis.contains(.verifyReceipt) else { return [.fail(failure), .remove] }
        (api, attempts, refusals, dueAt) = (.verifyReceipt, 0, 0, now)
        return [.save]
    }

    private mutating func goOn(
        _ query: HistoryQuery,
        after result: AppleJobResult,
        _ now: Timestamp
    ) -> [Directive] {
        var query = query
        if result.outcome == .found, let next = result.next {
            (query.page, dueAt) = (next, now)
        } else if result.outcome == .unknown, query.page != nil {
            // Apple no longer knows the page.
            (query.page, dueAt) = (nil, now.advanced(by: Self.alertPause))
        } else {
            return [.remove]
        }
        subject = .history(query)
        return [.save]
    }
}
