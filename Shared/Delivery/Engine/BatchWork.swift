import Contracts
import Database
import Domain

/// Outside work: what is begun after this batch, and the results that it stores.
extension Batch {
    /// Failures in a row after which an item is parked whose worker wants that: a single one may be the store's.
    private static let mostFailures = 3

    func worked(_ item: WorkItem, _ result: [UInt8], _ id: FailedItem.ID) throws {
        state.workInHand.remove(item.key)
        state.workAt = clock.now
        guard let worker = engine.service.worker else { return }
        if let failure = failures[id] {
            state.workFailures[item.key, default: 0] += 1
            let isRepeated = state.workFailures[item.key, default: 0] >= Self.mostFailures
            if failure.isDeadly || isRepeated && worker.parksFailure(of: item) {
                return try park(item, failure.reason)
            }
            state.workAt = clock.now.advanced(
                by: worker.parksFailure(of: item) ? RetryPolicy.backoff.first : RetryPolicy.backoff.longest
            )
            return
        }
        state.workFailures[item.key] = nil
        context.cause = nil
        try attempt(id) { try worker.finish(item, result: result, in: context) }
    }

    /// Parks work whose result has ended too many processes, or can never be written; its row waits for the
    /// operator's release.
    private func park(_ item: WorkItem, _ reason: String) throws {
        try suspects.park(item.key, reason, now: clock.now)
        state.parkedWork.insert(item.key)
        state.workFailures[item.key] = nil
        output.alarms.append("outside work is parked: \(item.key): \(reason)")
    }

    func startWork() throws {
        guard let worker = engine.service.worker else { return }
        if let scheduled = context.workAt { state.workAt = min(state.workAt ?? scheduled, scheduled) }
        // The worker compares what it has stored with the clock again.
        if state.isClockBack(at: clock.now) { state.workAt = clock.now }
        state.workNow = clock.now
        guard let workAt = state.workAt, workAt <= clock.now else { return }
        let room = worker.concurrency - state.workInHand.count
        guard room > 0 else { return }
        let (items, next): ([WorkItem], Timestamp?)
        do {
            (items, next) = try worker.due(
                connection,
                of: engine.settings.address,
                now: clock.now,
                limit: room,
                excluding: state.workInHand.union(state.parkedWork)
            )
        } catch let fault as StoreError where fault.isTransient {
            throw fault
        } catch {
            // A row that cannot be read must not end every owner of the partition in turn.
            output.alarms.append("no outside work is begun: \(error)")
            state.workAt = clock.now.advanced(by: RetryPolicy.backoff.longest)
            return
        }
        state.workInHand.formUnion(items.map(\.key))
        output.work += items
        state.workAt = items.count == room ? clock.now : next
    }
}
