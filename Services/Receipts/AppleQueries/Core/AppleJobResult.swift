import Contracts
import Domain

struct AppleJobResult: Codable, Equatable, Sendable {
    enum Outcome: String, Codable, CaseIterable, Sendable {
        case found
        /// Apple knows the transaction, and the proof describes it differently.
        case contradicted
        /// Apple does not know it, at least not yet.
        case unknown
        /// The receipt is longer than `verifyReceipt` takes.
        case tooLarge
        /// Apple refuses for good; `failure` is the reason.
        case refused
        /// Apple refuses, as it also does temporarily for valid receipts.
        case doubted
        /// No answer: Apple is down, slow, or limits the rate.
        case unavailable
        /// Apple rejects our key or secret, or its answer cannot be parsed.
        case unauthorized
    }

    /// After attempts without an answer: short, as Apple may be back soon.
    private static let backoff = Backoff(first: 1_000, longest: 10_000)

    var outcome: Outcome
    /// When to ask again, if Apple says so.
    var until: Timestamp?
    var failure: ProofFailure?
    /// Whether our own limits, and not Apple, kept the question from being answered.
    var isPostponed: Bool?
    /// What went wrong, for the operator; never a receipt, a token or a key.
    var problem: String?
    var contents = ProofContents()
    /// The subscriptions of a customer, where their statuses were asked.
    var statuses: [FoundStatus] = []
    var findings: [AppleFinding] = []
    /// Apple's token for the next page; nil after the last.
    var next: String?

    var isUnanswered: Bool {
        switch outcome {
        case .unavailable, .unauthorized: true
        case .found, .contradicted, .unknown, .tooLarge, .refused, .doubted: false
        }
    }

    /// Whether an answer about a whole history says nothing of a purchase that Apple may know by itself: the newest are
    /// not always listed at once.
    var mayKnowMore: Bool {
        switch outcome {
        case .found, .tooLarge: true
        case .contradicted, .unknown, .refused, .doubted, .unavailable, .unauthorized: false
        }
    }

    var alert: String { problem ?? "no answer" }

    func retryTime(after failures: Int, now: Timestamp, random: UInt64) -> Timestamp {
        max(now.advanced(by: Self.backoff.pause(after: failures, random: random)), until ?? now)
    }
}

extension AppleJobResult {
    init(_ outcome: Outcome, until: Timestamp? = nil, problem: String? = nil) {
        self.init(outcome: outcome, until: until, problem: problem)
    }

    /// Without an answer because of our own limits, or of Apple's limit on us.
    static func postponed(until: Timestamp, problem: String) -> AppleJobResult {
        AppleJobResult(outcome: .unavailable, until: until, isPostponed: true, problem: problem)
    }

    /// What Apple knows of a proof or a customer.
    static func found(_ contents: ProofContents = ProofContents(), next: String? = nil) -> AppleJobResult {
        AppleJobResult(outcome: .found, contents: contents, next: next)
    }

    static func refused(_ failure: ProofFailure, problem: String? = nil) -> AppleJobResult {
        AppleJobResult(outcome: .refused, failure: failure, problem: problem)
    }
}
