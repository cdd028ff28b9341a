/// The verdict on a run.
struct LoadReport: Encodable, Sendable {
    /// Payments that were made.
    let purchases: Int
    /// Of these, in a ledger.
    let granted: Int
    /// Acknowledged, and in no ledger.
    let lost: Int
    /// Granted more than once.
    let twice: Int
    /// Granted to somebody else than the payment belongs to.
    let wrongBuyer: Int
    /// The phone was told to finish before the goods were in the ledger.
    let finishTooEarly: Int
    /// Granted, from the first payment to the last grant that a ledger shows.
    let purchasesPerSecond: Double
    /// From the first submission to the answer that says granted.
    let p50ms: Double
    let p95ms: Double
    let p99ms: Double
    /// Requests that had neither a 2xx nor a 4xx.
    let errors: Int

    let errorsByKind: [String: Int]
    let wrongAmount: Int
    let wrongOrder: Int
    /// Ledger entries that no payment accounts for.
    let unexplained: Int
    /// Requests that were answered with a 4xx, which none deserves.
    let rejected: Int
    let firstRejection: String?
    let parked: Int
    /// Never acknowledged, and in no ledger: their phones died for good.
    let unacknowledged: Int
    /// Answers that were held against the ledger as soon as they came.
    let checkedAtOnce: Int
    let seconds: Double

    init(
        audit: Audit,
        latencies: [UInt32],
        errors: [String: Int],
        rejections: Int,
        firstRejection: String?,
        samples: Int,
        seconds: Double
    ) {
        purchases = audit.payments
        granted = audit.granted
        lost = audit.unseen.count
        twice = audit.twice.count
        wrongBuyer = audit.wrongBuyer.count
        finishTooEarly = audit.finishedTooEarly.count
        let span = Double(max(audit.lastGrant - audit.firstPayment, 1)) / 1_000
        purchasesPerSecond = Self.tenths(Double(audit.granted) / span)
        p50ms = Self.milliseconds(latencies, 0.50)
        p95ms = Self.milliseconds(latencies, 0.95)
        p99ms = Self.milliseconds(latencies, 0.99)
        self.errors = errors.values.reduce(0, +)
        errorsByKind = errors
        wrongAmount = audit.wrongAmount.count
        wrongOrder = audit.wrongOrder.count + audit.twinsWithoutOrder
        unexplained = audit.unexplained
        rejected = rejections
        self.firstRejection = firstRejection
        parked = audit.parked.count
        unacknowledged = audit.unacknowledged
        checkedAtOnce = samples
        self.seconds = Self.tenths(seconds)
    }

    /// Whether every law held, and something was bought at all.
    var isClean: Bool {
        granted > 0
            && [
                lost, twice, wrongBuyer, finishTooEarly, wrongAmount, wrongOrder, unexplained, rejected,
                parked,
            ]
            .allSatisfy { $0 == 0 }
    }

    /// The nearest-rank percentile of sorted microseconds, in ms; 0 when there are none.
    private static func milliseconds(_ sorted: [UInt32], _ part: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let rank = Int((part * Double(sorted.count)).rounded(.up))
        return tenths(Double(sorted[max(rank, 1) - 1]) / 1_000)
    }

    private static func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }
}
