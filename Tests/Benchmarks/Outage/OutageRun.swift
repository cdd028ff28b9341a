import Contracts
import TestKit

/// One run: a warm-up, the outage under load, and the time until everything is granted.
struct OutageRun {
    /// How long what needs nobody's answer may take.
    private static let promptLimit = Duration.seconds(20)
    /// Seconds for which the last grant is waited for, beside what the limit of calls makes of it.
    private static let timeout = 90.0
    /// Pauses between two looks at ledgers: while little waits, and while thousands do.
    private static let pollInterval = Duration.milliseconds(200)
    private static let drainPollInterval = Duration.seconds(2)

    /// Purchases that the simulator remembers, with some to spare.
    static let maximumSales = 45_000
    /// What goes wrong: of several faults at a path the first that strikes.
    private static let faults: [(path: String, members: [String: JSONValue])] = [
        ("/production/verifyReceipt", ["kind": .string("reset"), "probability": .number(1 / 3)]),
        (
            "/production/verifyReceipt",
            ["kind": .string("status"), "status": .integer(503), "probability": .number(1 / 2)]
        ),
        ("/production/verifyReceipt", ["kind": .string("receiptStatus"), "status": .integer(21_005)]),
        ("/production/inApps", ["kind": .string("reset"), "probability": .number(1 / 2)]),
        ("/production/inApps", ["kind": .string("status"), "status": .integer(503)]),
    ]
    /// What goes wrong instead where there is to be silence; an hour is longer than anybody waits.
    private static let silence: [(path: String, members: [String: JSONValue])] = [
        ("/production", ["kind": .string("delay"), "milliseconds": .integer(3_600_000)])
    ]

    let group: AppStoreGroup
    let rate: Double
    let isSilent: Bool
    private let gateway: OutageGateway
    private var ledgers: OutageLedgers

    private var store: SimulatorProcess { group.appStore }

    init(group: AppStoreGroup, rate: Double, isSilent: Bool) {
        self.group = group
        self.rate = rate
        self.isSilent = isSilent
        gateway = OutageGateway(group)
        ledgers = OutageLedgers(gateway)
    }

    /// What was measured, by the clock of the machine.
    private struct Span {
        /// Milliseconds since 1970.
        let start: Int64
        var end: Int64 = 0
    }

    mutating func measure(
        seconds: Double,
        warmUp: Double,
        callsPerSecond: Int
    ) async throws -> Outage.Result {
        let purchases = try await sell(Int((seconds + warmUp) * rate))
        let before = purchases.prefix(Int(warmUp * rate))
        let during = purchases.dropFirst(before.count)
        try await submit(before)
        let timeout = Self.timeout(for: before.count, callsPerSecond)
        guard try await ledgers.wait(for: before, within: timeout, pollInterval: Self.drainPollInterval)
        else {
            throw HarnessFault(
                "with Apple in order \(ledgers.missing(before).count) of \(before.count) "
                    + "were not granted: \(gateway.tally.verdicts)"
            )
        }
        gateway.forgetVerdicts()
        let memory = try await ReceiptsMemory(of: group.group)
        var span = Span(start: Timestamp.now().milliseconds)
        try await memory.sampling {
            span = try await runOutage(during)
            let timeout = Self.timeout(for: during.count, callsPerSecond)
            _ = try await ledgers.wait(for: during, within: timeout, pollInterval: Self.drainPollInterval)
        }
        // Once more, all of them: nothing that came twice goes unseen.
        try await ledgers.read(purchases)
        let calls = try await store.calls()
        return Outage.Result(
            kinds: kinds(during, span),
            drain: drain(calls, span, limit: callsPerSecond),
            lost: ledgers.missing(purchases).count,
            twice: ledgers.doubled(purchases),
            wrongBuyer: ledgers.strangers,
            finishTooEarly: gateway.tally.finishTooEarly,
            memoryMB: try await memory.result(),
            errors: gateway.tally.errors,
            verdicts: gateway.tally.verdicts,
            outageSeconds: Self.tenths(Double(span.end - span.start) / 1_000),
            rate: rate,
            callsDuringOutage: Self.statuses(calls, span)
        )
    }

    /// How long the last of so many purchases is waited for when Apple is in order.
    private static func timeout(for purchases: Int, _ callsPerSecond: Int) -> Duration {
        let calls = Double(purchases) / Double(OutageKind.allCases.count)
        return .seconds(timeout + calls / Double(callsPerSecond) * 1.5)
    }

    /// So many purchases, the kinds by turns.
    private func sell(_ count: Int) async throws -> [OutagePurchase] {
        let kinds = OutageKind.allCases
        var purchases: [[OutagePurchase]] = []
        for kind in kinds {
            let sold = try await store.sell(
                (count + kinds.count - 1) / kinds.count,
                to: kind.gateway(of: group).bundleID,
                withReceipts: kind != .signedTransaction
            )
            purchases.append(
                sold.enumerated().map { number, transaction in
                    OutagePurchase(
                        kind: kind,
                        buyer: "\(kind)-\(number)",
                        transactionId: transaction.transactionId,
                        proof: transaction.transactionReceipt ?? transaction.signedTransaction
                    )
                }
            )
        }
        return (0..<count).map { purchases[$0 % kinds.count][$0 / kinds.count] }
    }

    /// The outage: it ends once everything is handed in, and what needs no answer of Apple's is granted.
    private mutating func runOutage(_ purchases: ArraySlice<OutagePurchase>) async throws -> Span {
        for fault in isSilent ? Self.silence : Self.faults {
            try await store.fault(at: fault.path, fault.members)
        }
        var span = Span(start: Timestamp.now().milliseconds)
        try await submit(purchases)
        let signed = purchases.filter { $0.kind == .signedTransaction }
        _ = try await ledgers.wait(for: signed, within: Self.promptLimit, pollInterval: Self.pollInterval)
        span.end = Timestamp.now().milliseconds
        try await store.heal()
        return span
    }

    /// Hands purchases in at the rate; returns when all are acknowledged.
    private func submit(_ purchases: ArraySlice<OutagePurchase>) async throws {
        let start = ContinuousClock.now
        let (gateway, rate) = (gateway, rate)
        try await withThrowingDiscardingTaskGroup { tasks in
            for (number, purchase) in purchases.enumerated() {
                try await Task.sleep(until: start + .seconds(Double(number) / rate), clock: .continuous)
                tasks.addTask { try await gateway.handIn(purchase) }
            }
        }
    }

    // MARK: Figures

    private func kinds(_ purchases: ArraySlice<OutagePurchase>, _ span: Span) -> [String: Outage.Result.Kind]
    {
        let pairs = OutageKind.allCases.map { kind in
            let own = purchases.filter { $0.kind == kind }
            let grants = own.compactMap(ledgers.grant)
            let last = grants.max().map { max($0 - span.end, 0) }
            let figures = Outage.Result.Kind(
                submitted: own.count,
                grantedDuringOutage: grants.count { $0 <= span.end },
                granted: grants.count,
                secondsUntilAllGranted: grants.count < own.count
                    ? nil : last.map { Self.tenths(Double($0) / 1_000) }
            )
            return (kind.rawValue, figures)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The rate of answered calls in the whole seconds between the first answer after the outage and the last.
    private func drain(
        _ calls: [SimulatorProcess.Calls],
        _ span: Span,
        limit: Int
    ) -> Outage.Result.Drain? {
        let answered = calls.filter {
            $0.path == SimulatorProcess.transactionInfo && $0.status == 200 && $0.second >= span.end / 1_000
        }
        guard let first = answered.map(\.second).min(), let last = answered.map(\.second).max(),
            last - first > 1
        else { return nil }
        let counts = Dictionary(answered.map { ($0.second, $0.count) }, uniquingKeysWith: +)
        let whole = (first + 1..<last).map { counts[$0] ?? 0 }
        let rate = Double(whole.reduce(0, +)) / Double(whole.count)
        return Outage.Result.Drain(
            callsPerSecond: Self.tenths(rate),
            limit: limit,
            ratio: (rate / Double(limit) * 1_000).rounded() / 1_000,
            medianCallsPerSecond: whole.sorted()[whole.count / 2],
            secondsUntilFirstCall: Self.tenths(max(Double(first) - Double(span.end) / 1_000, 0))
        )
    }

    private static func statuses(_ calls: [SimulatorProcess.Calls], _ span: Span) -> [String: Int] {
        let during = calls.filter { $0.second > span.start / 1_000 && $0.second < span.end / 1_000 }
        let pairs = during.map { ("\($0.path) \($0.status)", $0.count) }
        return Dictionary(pairs, uniquingKeysWith: +)
    }

    private static func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }
}
