import Contracts
import Domain

/// Apple's question what was used of a purchase, until it is answered.
///
/// Tested by: `ConsumptionRequestTests`.
///
/// | state \ event | due, nobody | due, a buyer | held   | reported, no consent | reported, consent | told, no answer |
/// |---------------|-------------|--------------|--------|----------------------|-------------------|-----------------|
/// | waiting       | again later | `asked`      | sooner | again later          | `answering`       | again           |
/// | asked         | `waiting`   | asked again  | again  | `waiting`            | `answering`       | again           |
/// | answering     | `waiting`   | `asked`      | again  | `waiting`            | the newer report  | `waiting`       |
/// | expired       | again       | again        | again  | again                | again             | again           |
///
/// *asked*: the ledger is asked. Without consent it is asked every hour, as the buyer may still agree. A report counts
/// for one try, and for seconds only: before each try the ledger is asked anew, as the buyer may have withdrawn
/// consent. What Apple says to the answer ends the request in any state, but the answer to an older question of Apple's
/// does not. After 12 hours a request with consent is `expired`, one without is over; if the clock was wrong, it is
/// waiting again.
struct ConsumptionRequest: Codable, Equatable, Sendable {
    struct Key: Codable, Hashable, Sendable {
        let environment: Environment
        let bundleID: BundleID
        let transactionID: TransactionID
    }

    /// What the ledger said, and when.
    struct Report: Codable, Equatable, Sendable {
        var isConsented: Bool
        var isDelivered: Bool
        /// Milliunits of a percent; nil where goods have no parts.
        var consumed: Int?
        var reportedAt: Timestamp
    }

    enum State: Codable, Equatable, Sendable {
        /// For a buyer who holds the purchase, or agrees.
        case waiting
        case asked
        case answering(Report)
        case expired
    }

    enum Event: Equatable, Sendable {
        case due(holder: BuyerID?)
        /// A buyer has come to hold the purchase.
        case held
        case reported(Report)
        /// The result of telling Apple, as answer to the question of that time.
        case told(AppleJobResult, askedAt: Timestamp)
    }

    enum Directive: Equatable, Sendable {
        case askLedger(BuyerID)
        case alarm(String)
        case save
        case remove
    }

    /// How long Apple waits for an answer, ms.
    static let deadlineMilliseconds: Int64 = 12 * 3_600_000
    /// When an unanswered question with consent is an alarm, ms.
    static let alarmMilliseconds: Int64 = 6 * 3_600_000
    /// Pause until a ledger that has not answered, or has no consent, is asked again, ms.
    static let ledgerMilliseconds: Int64 = 3_600_000
    /// How long the ledger's report counts, ms: on a busy machine a try begins within seconds.
    static let reportMilliseconds: Int64 = 10_000
    /// Pause until the ledger is asked about a purchase that has come to be held, ms: its goods are on their way there.
    static let grantMilliseconds: Int64 = 3_000
    /// Pause until a holder is looked for again, ms.
    static let holderMilliseconds: Int64 = 600_000

    let key: Key
    let purchaseID: PurchaseID
    let originalTransactionID: TransactionID
    /// Time of Apple's signature.
    let askedAt: Timestamp
    private(set) var state = State.waiting
    private(set) var dueAt: Timestamp?
    /// Whether the buyer agreed when the ledger was asked last.
    private(set) var isConsented = false
    private(set) var failures = 0
    private(set) var isAlarmed = false

    /// `transaction` is the one that Apple names; `facts` tell its purchase.
    init(about transaction: TransactionID, _ facts: TransactionFacts, askedAt: Timestamp) {
        key = Key(environment: facts.environment, bundleID: facts.bundleId, transactionID: transaction)
        purchaseID = facts.purchaseId
        originalTransactionID = facts.originalTransactionId
        self.askedAt = askedAt
        dueAt = askedAt
    }

    private var deadline: Timestamp { askedAt.advanced(by: Self.deadlineMilliseconds) }

    /// Which times of requests are due at `now`.
    static func due(at now: Timestamp) -> DueTimes {
        DueTimes(at: now, longestPause: AppleQuery.longestPause)
    }

    func isOver(at now: Timestamp) -> Bool { now >= deadline }

    /// What Apple is to be told now; nil where that is to be found out first.
    func report(at now: Timestamp) -> Report? {
        guard case .answering(let report) = state, !isOver(at: now),
            report.reportedAt <= now, now < report.reportedAt.advanced(by: Self.reportMilliseconds)
        else { return nil }
        return report
    }

    mutating func apply(_ event: Event, now: Timestamp, random: UInt64) -> [Directive] {
        let directives: [Directive]
        switch (state, event) {
        case (_, .told(let result, let answered)):
            guard answered == askedAt else { return [] }
            guard result.isUnanswered else { return end(result) }
            failures += 1
            if case .answering = state {
                (state, dueAt) = (.waiting, result.retryTime(after: failures, now: now, random: random))
            }
            let isNews = result.outcome == .unauthorized && failures == 1
            directives = isNews ? [.alarm("\(name): \(result.alert)"), .save] : [.save]
        case (.expired, .due), (.expired, .held), (.expired, .reported):
            // Otherwise a clock that was wrong has let it expire.
            guard !isOver(at: now) else { return [] }
            state = .waiting
            return apply(event, now: now, random: random)
        case (.asked, .held), (.answering, .held): return []
        case (.waiting, .held):
            dueAt = now.advanced(by: Self.grantMilliseconds)
            directives = [.save]
        case (.waiting, .due(nil)), (.asked, .due(nil)), (.answering, .due(nil)):
            (state, dueAt) = (.waiting, now.advanced(by: Self.holderMilliseconds))
            directives = [.save]
        case (.waiting, .due(let holder?)), (.asked, .due(let holder?)), (.answering, .due(let holder?)):
            (state, dueAt) = (.asked, now.advanced(by: Self.ledgerMilliseconds))
            directives = [.askLedger(holder), .save]
        case (.waiting, .reported(let report)), (.asked, .reported(let report)),
            (.answering, .reported(let report)):
            isConsented = report.isConsented
            state = report.isConsented ? .answering(report) : .waiting
            dueAt = report.isConsented ? now : now.advanced(by: Self.ledgerMilliseconds)
            directives = [.save]
        }
        return isOver(at: now) ? expire() : alarm(now) + directives
    }

    private func end(_ result: AppleJobResult) -> [Directive] {
        guard result.outcome != .found else { return [.remove] }
        return [.alarm("Apple refuses \(name): \(result.alert)"), .remove]
    }

    private mutating func expire() -> [Directive] {
        guard state != .expired else { return [] }
        guard isConsented else { return [.remove] }
        (state, dueAt) = (.expired, nil)
        return [.alarm("\(name) has expired unanswered"), .save]
    }

    /// Alarms once; it is looked at again when that is due, and at the deadline.
    private mutating func alarm(_ now: Timestamp) -> [Directive] {
        let alarmAt = askedAt.advanced(by: Self.alarmMilliseconds)
        let isLate = isConsented && now >= alarmAt
        let next = isConsented && !isLate ? alarmAt : deadline
        dueAt = dueAt.map { min($0, next) }
        guard isLate, !isAlarmed else { return [] }
        isAlarmed = true
        return [.alarm("\(name) is not answered after 6 hours")]
    }

    private var name: String { "the consumption request about \(key.transactionID) of \(key.bundleID)" }
}
