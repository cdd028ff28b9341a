import Contracts
import Database
import Domain

/// Runs batches, and finds what ended the process.
///
/// After an unclean end every possible cause runs alone: its name is committed first, and deleted in the transaction
/// that has its effect. What five owners have noted is not tried again: an event is dead-lettered, work is parked. In
/// normal operation nothing is noted, so that repeated kills end nothing and cost nothing.
extension PartitionEngine {
    /// Handles one batch.
    ///
    /// - Throws: `StoreError`; then nothing took effect and nothing may be sent. After any fault but `busy` and `full`
    ///   the store must be reopened.
    func handle(_ inputs: [PartitionInput], at clock: ClockReading) throws -> PartitionOutput {
        let items = inputs.map(BatchItem.input)
        let isAlone = inputs.contains { state.isCautious(with: $0) }
        return isAlone ? try runEach(items, at: clock) : try run(items, at: clock)
    }

    /// Tries delayed events that are due, of a bounded number of subjects, so that new arrivals soon follow.
    func retryDelayed(at clock: ClockReading) throws -> PartitionOutput {
        let times = RetryPolicy.due(at: clock.now)
        let due = state.delayed.filter { times.contains($0.value) }
        let first = due.sorted { $0.value < $1.value }.prefix(Self.delayedSubjects)
        return try runEach(first.map { .delayed($0.key) }, at: clock)
    }

    /// Sends the next page of one redrive, if any is due.
    func redrive(at clock: ClockReading) throws -> PartitionOutput {
        try runEach(dueRedrive.map { [.redrive($0)] } ?? [], at: clock)
    }

    /// Runs each item in its own transaction; those that may have ended the last owner are noted as suspects.
    private func runEach(_ items: [BatchItem], at clock: ClockReading) throws -> PartitionOutput {
        var output = PartitionOutput()
        for (index, item) in items.enumerated() {
            do {
                output.append(try runAlone(item, at: clock))
            } catch let fault as StoreError where fault.mayPass && index > 0 {
                // Output of earlier commits must be sent; the rest arrives again, work if it is asked for.
                for case .input(.worked(let item, _)) in items[index...] {
                    state.endWork(item.key)
                    state.askWork(at: clock.now)
                }
                return output
            }
        }
        return output
    }

    private func runAlone(_ item: BatchItem, at clock: ClockReading) throws -> PartitionOutput {
        guard let name = try suspectName(of: item) else { return try run([item], at: clock) }
        if case .input(let input) = item { state[keyPath: PartitionState.caution(with: input)] -= 1 }
        let deaths = try suspects[name] ?? store.write { try SuspectStore(connection: $0).note(name) }
        suspects[name] = deaths
        let output = try run([item], suspect: name, isDeadly: deaths >= Self.suspectDeaths, at: clock)
        suspects[name] = nil
        return output
    }

    private func suspectName(of item: BatchItem) throws -> String? {
        switch item {
        case .input(let input):
            guard state.isCautious(with: input) else { return nil }
            if case .worked(let work, _) = input { return "work \(work.key)" }
            return input.event.flatMap(decoder.eventID)
        case .delayed(let subject):
            guard state.isAfterDeath else { return nil }
            return try store.write {
                try DelayedEventStore(connection: $0).first(of: subject)?.failed.eventID
            }
        case .redrive(let target):
            return state.isAfterDeath ? "redrive \(target)" : nil
        }
    }

    /// Runs items as one transaction, and again without those whose handler fails: they are delayed or refused.
    private func run(
        _ items: [BatchItem],
        suspect: String? = nil,
        isDeadly: Bool = false,
        at clock: ClockReading
    ) throws -> PartitionOutput {
        var failures: [FailedItem.ID: FailedItem] = [:]
        if isDeadly {
            failures[.item(0)] = .init(id: .item(0), reason: FailedItem.deadlyReason, isDeadly: true)
        }
        while true {
            do {
                let batch = try store.write { connection in
                    let batch = Batch(
                        self,
                        connection,
                        from: state,
                        without: failures,
                        isSuspect: suspect != nil,
                        at: clock
                    )
                    for (index, item) in items.enumerated() { try batch.take(item, .item(index)) }
                    try batch.finish()
                    if let suspect { try batch.suspects.clear(suspect) }
                    settings.crash.reach(.beforeCommit)
                    return batch
                }
                settings.crash.reach(.afterCommit)
                return adopt(batch)
            } catch let failed as FailedItem {
                failures[failed.id] = failed
                let areMany = items.count > 1 && failures.count >= Self.batchFailures
                if areMany { return try runEach(items, at: clock) }
            } catch let fault as StoreError where !fault.isTransient && failures.isEmpty {
                // A redrive that cannot be sent stops, and does not end the owners of its partition in turn.
                guard case .redrive? = items.first else { throw fault }
                failures[.item(0)] = .init(id: .item(0), reason: String(describing: fault))
            }
        }
    }

    private func adopt(_ batch: Batch) -> PartitionOutput {
        state = batch.state
        counters.add(batch.context.counts, messages: batch.taken)
        for target in batch.renumbered { caches[target] = nil }
        for (target, rows) in batch.appended { caches[target, default: RowCache()].append(rows) }
        for (target, sender) in state.senders { caches[target]?.drop(through: sender.machine.settled) }
        if let record = settings.record { batch.recorded.forEach(record) }
        return batch.output
    }
}

extension PartitionState {
    fileprivate func isCautious(with input: PartitionInput) -> Bool {
        if case .worked = input { return self[keyPath: Self.caution(with: input)] > 0 }
        return input.event != nil && cautious > 0
    }

    /// How many more inputs of its kind run alone.
    fileprivate static func caution(with input: PartitionInput) -> WritableKeyPath<PartitionState, Int> {
        guard case .worked(let item, _) = input else { return \.cautious }
        return item.timer == nil ? \.cautiousWork : \.cautiousTurns
    }
}
