import Foundation
import LoadVerdict
import TestKit

/// One run: customers come, everything is waited for, every ledger is read.
struct LoadRun: Sendable {
    private static let ledgerReaders = 8
    /// How long the gateway is waited for at the beginning, in seconds.
    private static let startTimeout = 30.0
    private static let pollPause = Duration.milliseconds(100)
    /// Rejections after which a run to which nothing was granted is given up.
    private static let mostRejections = 100

    let context: LoadContext
    let concurrency: Int

    /// Plays all customers, then judges.
    ///
    /// - Throws: `WrongUse` when the gateway does not know the key, what the journal throws.
    func run() async throws -> LoadReport {
        try await waitForGateway()
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            let progress = Progress(context: context, start: start)
            group.addTask { try await progress.show() }
            group.addTask(executorPreference: context.client.executor) {
                try await serve()
                try await settle()
            }
            do { try await group.next() } catch is CancellationError {}
            group.cancelAll()
            progress.end()
        }
        return context.note { $0.report(seconds: (ContinuousClock.now - start) / .seconds(1)) }
    }

    /// Waits until the gateway answers, and finds out whether it knows the key.
    private func waitForGateway() async throws {
        let deadline = ContinuousClock.now + .seconds(Self.startTimeout)
        while true {
            let (client, buyer) = (context.client, context.buyers[0])
            switch await Reply<LedgerAnswer>.of({ try await client.ledger(of: buyer, after: nil, limit: 1) })
            {
            case .answered: return
            case .rejected(let reason):
                throw WrongUse(description: "the gateway rejects the first question: \(reason)")
            case .failed(let reason):
                guard ContinuousClock.now < deadline else {
                    throw WrongUse(description: "the gateway does not answer: \(reason)")
                }
            }
            try await Task.sleep(for: Self.pollPause)
        }
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
                products: context.products.count - 1
            )
            context.note { $0.busy += 1 }
            defer { context.note { $0.busy -= 1 } }
            try await Phone(context: context, script: script).play()
            if isEverythingRejected { context.schedule.close() }
        }
    }

    private var isEverythingRejected: Bool {
        context.note { $0.rejections >= Self.mostRejections && $0.acknowledged == 0 }
    }

    /// Reads ledgers until everything acknowledged is there or the time is over, then all of them once more,
    /// so that nothing that came twice or to the wrong buyer goes unseen.
    private func settle() async throws {
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
    }

    /// Reads the ledgers of these buyers; whether all of them could be read.
    @discardableResult
    private func read(_ buyers: Set<Int>) async throws -> Bool {
        let context = context
        return await withTaskGroup(of: Reply<Void>.self) { group in
            var isComplete = true
            for (started, buyer) in buyers.enumerated() {
                if started >= Self.ledgerReaders, let reply = await group.next() {
                    isComplete = take(reply) && isComplete
                }
                group.addTask { await context.readLedger(of: buyer) }
            }
            for await reply in group { isComplete = take(reply) && isComplete }
            return isComplete
        }
    }

    private func take(_ reply: Reply<Void>) -> Bool {
        switch reply {
        case .answered: return true
        case .rejected(let reason): context.note { $0.noteRejection(reason) }
        case .failed(let reason): context.note { $0.noteError(reason) }
        }
        return false
    }
}
