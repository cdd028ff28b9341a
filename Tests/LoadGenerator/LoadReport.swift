import LoadVerdict

extension LoadReport {
    /// What an audit and the phones' own counts come to.
    init(
        audit: Audit,
        latencies: [UInt32],
        errors: [String: Int],
        rejections: Int,
        firstRejection: String?,
        samples: Int,
        seconds: Double
    ) {
        self.init()
        judge(audit)
        p50ms = Self.milliseconds(latencies, 0.50)
        p95ms = Self.milliseconds(latencies, 0.95)
        p99ms = Self.milliseconds(latencies, 0.99)
        self.errors = errors.values.reduce(0, +)
        errorsByKind = errors
        rejected = rejections
        self.firstRejection = firstRejection
        checkedAtOnce = samples
        self.seconds = Self.tenths(seconds)
    }

    private mutating func judge(_ audit: Audit) {
        purchases = audit.payments
        granted = audit.granted
        restored = audit.restored
        lost = audit.unseen.count
        twice = audit.twice.count
        wrongBuyer = audit.wrongBuyer.count
        finishTooEarly = audit.finishedTooEarly.count
        let span = Double(max(audit.lastGrant - audit.firstPayment, 1)) / 1_000
        purchasesPerSecond = Self.tenths(Double(audit.granted) / span)
        wrongAmount = audit.wrongAmount.count
        wrongOrder = audit.wrongOrder.count + audit.twinsWithoutOrder
        unexplained = audit.unexplained
        parked = audit.parked.count
        unacknowledged = audit.unacknowledged
    }

    /// The nearest-rank percentile of sorted microseconds, in ms; 0 when there are none.
    private static func milliseconds(_ sorted: [UInt32], _ part: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let rank = Int((part * Double(sorted.count)).rounded(.up))
        return tenths(Double(sorted[max(rank, 1) - 1]) / 1_000)
    }

    private static func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }
}
