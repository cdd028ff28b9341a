import Contracts
import LoadVerdict
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

    let options: Outage
    private let gateway: OutageGateway
    private var ledgers: OutageLedgers

    private var group: AppStoreGroup { gateway.group }
    private var store: SimulatorProcess { group.appStore }

    init(_ options: Outage, group: AppStoreGroup) {
        self.options = options
        gateway = OutageGateway(group)
        ledgers = OutageLedgers(gateway)
    }

    /// The beginning and the end of the outage, in milliseconds since 1970.
    private typealias Span = (start: Int64, end: Int64)

    mutating func measure() async throws -> Outage.Result {
        let purchases = try await sell(Int((options.seconds + options.warmUp) * options.rate))
        let before = purchases.prefix(Int(options.warmUp * options.rate))
        let during = purchases.dropFirst(before.count)
        try await submit(before)
        guard try await waitForAll(before) else {
            throw HarnessFault(
                "with Apple in order \(ledgers.missing(before).count) of \(before.count) "
                    + "were not granted: \(gateway.tally.verdicts)"
            )
        }
        gateway.forgetVerdicts()
        let memory = ReceiptsMemory(group: group.group)
        let memoryBefore = try await memory.now()
        var span: Span = (0, 0)
        let mostMemory = try await memory.most {
            span = try await runOutage(during)
            _ = try await waitForAll(during)
        }
        // Once more, all of them: nothing that came twice goes unseen.
        try await ledgers.read(purchases)
        let calls = try await store.calls()
        return Outage.Result(
            kinds: kinds(during, span),
            drain: drain(calls, span),
            lost: ledgers.missing(purchases).count,
            twice: ledgers.doubled(purchases),
            wrongBuyer: ledgers.strangers,
            finishTooEarly: gateway.tally.finishTooEarly,
            memoryMB: .init(before: memoryBefore, most: mostMemory, after: try await memory.now()),
            errors: gateway.tally.errors,
            verdicts: gateway.tally.verdicts,
            outageSeconds: (Double(span.end - span.start) / 1_000).tenths,
            rate: options.rate,
            callsDuringOutage: Self.statuses(calls, span)
        )
    }

    /// Waits until all of these are granted while Apple is in order; whether that came about in time.
    private mutating func waitForAll(_ purchases: ArraySlice<OutagePurchase>) async throws -> Bool {
        let calls = Double(purchases.count) / Double(OutageKind.allCases.count)
        let limit = Duration.seconds(Self.timeout + calls / Double(options.callsPerSecond) * 1.5)
        return try await ledgers.wait(for: purchases, within: limit, pollInterval: Self.drainPollInterval)
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
        for fault in options.silent ? Self.silence : Self.faults {
            try await store.fault(at: fault.path, fault.members)
        }
        let start = Timestamp.now().milliseconds
        try await submit(purchases)
        let signed = purchases.filter { $0.kind == .signedTransaction }
        _ = try await ledgers.wait(for: signed, within: Self.promptLimit, pollInterval: Self.pollInterval)
        let end = Timestamp.now().milliseconds
        try await store.heal()
        return (start, end)
    }

    /// Hands purchases in at the rate; returns when all are acknowledged.
    private func submit(_ purchases: ArraySlice<OutagePurchase>) async throws {
        let start = ContinuousClock.now
        let (gateway, rate) = (gateway, options.rate)
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
                    ? nil : last.map { (Double($0) / 1_000).tenths }
            )
            return (kind.rawValue, figures)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The rate of answered calls in the whole seconds between the first answer after the outage and the last.
    private func drain(_ calls: [SimulatorProcess.Calls], _ span: Span) -> Outage.Result.Drain? {
        let limit = options.callsPerSecond
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
            callsPerSecond: rate.tenths,
            limit: limit,
            ratio: (rate / Double(limit) * 1_000).rounded() / 1_000,
            medianCallsPerSecond: whole.sorted()[whole.count / 2],
            secondsUntilFirstCall: max(Double(first) - Double(span.end) / 1_000, 0).tenths
        )
    }

    private static func statuses(_ calls: [SimulatorProcess.Calls], _ span: Span) -> [String: Int] {
        let during = calls.filter { $0.second > span.start / 1_000 && $0.second < span.end / 1_000 }
        let pairs = during.map { ("\($0.path) \($0.status)", $0.count) }
        return Dictionary(pairs, uniquingKeysWith: +)
    }
}
