import LoadVerdict
import TestKit

/// One run: customers come, everything is waited for, every ledger is read, and what buyers hold where that is judged.
struct LoadRun: Sendable {
    private static let readers = 8
    private static let pollPause = Duration.milliseconds(100)
    /// Rejections after which a run to which nothing was granted is given up.
    private static let mostRejections = 100

    let context: LoadContext
    let concurrency: Int
    /// Whether balances and access are judged, which needs a catalog.
    let judgesHoldings: Bool
    /// Takes the group's webhooks; nil where they are not judged.
    let receiver: WebhookReceiver?

    /// Plays all customers, then judges.
    ///
    /// - Throws: `WrongUse` when the gateway trusts no payment, what the journal throws.
    func run() async throws -> LoadReport {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            let progress = Progress(context: context, start: start)
            group.addTask { try await progress.show() }
            if let receiver { group.addTask { try await receiver.run() } }
            if let gate = context.kit?.gate {
                group.addTask { try await gate.run(context) }
                await gate.awaitListening()
            }
            group.addTask(executorPreference: context.client.executor) {
                try await serve()
                try await awaitLedgers()
            }
            do { try await group.next() } catch is CancellationError {}
            group.cancelAll()
            progress.end()
        }
        return context.note { $0.report(seconds: (ContinuousClock.now - start) / .seconds(1)) }
    }

    private func serve() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<concurrency { group.addTask { try await serveOneByOne() } }
            try await group.waitForAll()
        }
    }

    private func serveOneByOne() async throws {
        while let number = try await context.schedule.next() {
            let script = context.scripts.script(
                number,
                buyers: context.buyers.count,
                of: context.assortment
            )
            context.note { $0.busy += 1 }
            defer { context.note { $0.busy -= 1 } }
            try await play(script)
            let isHopeless = context.note { $0.rejections >= Self.mostRejections && $0.acknowledged == 0 }
            if isHopeless { context.schedule.close() }
        }
    }

    private func play(_ script: Script) async throws {
        guard let kit = context.kit else { return try await Phone(context: context, script: script).play() }
        let deaths = context.scripts.deaths(script.number)
        try await KitCustomer(context: context, script: script, kit: kit, deaths: deaths).play()
    }

    /// Reads ledgers until everything acknowledged is there or the time is over, then all of them once more,
    /// so that nothing that came twice or to the wrong buyer goes unseen.
    private func awaitLedgers() async throws {
        let deadline = context.schedule.drainDeadline
        let everybody = Set(context.buyers.indices)
        try await read(everybody)
        while case let buyers = context.note(\.waitingBuyers), !buyers.isEmpty, ContinuousClock.now < deadline
        {
            try await Task.sleep(for: Self.pollPause)
            try await read(buyers)
        }
        while try await !read(everybody) {
            guard ContinuousClock.now < deadline else {
                return context.note { $0.noteRejection("some ledgers could not be read") }
            }
            try await Task.sleep(for: Self.pollPause)
        }
        if judgesHoldings { try await judgeHoldings(of: everybody, until: deadline) }
    }

    /// Reads what buyers hold until it is right or the time is over; ledgers go on meanwhile.
    private func judgeHoldings(of everybody: Set<Int>, until deadline: ContinuousClock.Instant) async throws {
        var buyers = everybody
        while true {
            buyers = await judgeHoldings(of: buyers)
            if buyers.isEmpty { return }
            guard ContinuousClock.now < deadline else { break }
            try await Task.sleep(for: Self.pollPause)
            try await read(buyers)
        }
        let wrong = context.note { $0.wrongBalances.union($0.wrongAccess).union($0.wrongTold) }
        if !buyers.isSubset(of: Set(wrong.map(Int.init))) {
            context.note { $0.noteRejection("what some buyers hold could not be read") }
        }
    }

    /// Those of these buyers whose holdings are wrong, or could not be read.
    private func judgeHoldings(of buyers: Set<Int>) async -> Set<Int> {
        let context = context
        let expected = context.note { ExpectedHoldings($0) }
        let readings = await readEach(buyers) { await context.readHoldings(of: $0) }
        return buyers.filter { buyer in
            guard case .answered(let reading)? = readings[buyer] else { return true }
            return context.note { !$0.note(reading, of: Int32(buyer), expected) }
        }
    }

    /// Reads the ledgers of these buyers; whether all of them could be read.
    @discardableResult
    private func read(_ buyers: Set<Int>) async throws -> Bool {
        let context = context
        let replies = await readEach(buyers) { await context.readLedger(of: $0) }
        return replies.values.allSatisfy { if case .answered = $0 { true } else { false } }
    }

    /// Asks the same of several buyers, a few at a time; failures are counted.
    private func readEach<Value: Sendable>(
        _ buyers: Set<Int>,
        _ read: @escaping @Sendable (Int) async -> Reply<Value>
    ) async -> [Int: Reply<Value>] {
        await withTaskGroup(of: (Int, Reply<Value>).self) { group in
            var replies: [Int: Reply<Value>] = [:]
            for (started, buyer) in buyers.enumerated() {
                if started >= Self.readers, let (buyer, reply) = await group.next() { replies[buyer] = reply }
                group.addTask { (buyer, await read(buyer)) }
            }
            for await (buyer, reply) in group { replies[buyer] = reply }
            for case .rejected(let reason) in replies.values { context.note { $0.noteRejection(reason) } }
            for case .failed(let reason) in replies.values { context.note { $0.noteError(reason) } }
            return replies
        }
    }
}
