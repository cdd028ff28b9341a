import Contracts
import Database
import Domain

/// Work: what is begun after this batch, turns of timers and outside work, and what comes of it.
extension Batch {
    func worked(_ item: WorkItem, _ result: [UInt8], _ id: FailedItem.ID) throws {
        state.endWork(item.key)
        state.workAt = clock.now
        if let failure = failures[id] { return try failed(item, failure) }
        state.failingWork[item.key] = nil
        (context.cause, context.traceparent) = (nil, nil)
        if let timer = engine.timer(of: item) {
            try attempt(id) { try timer.run(item.key, in: context) }
        } else if let worker = engine.service.worker {
            try attempt(id) { try worker.finish(item, result: result, in: context) }
        }
    }

    /// Sets an item aside for a while, each time for longer, so that the others go on.
    private func failed(_ item: WorkItem, _ failure: FailedItem) throws {
        let isParked =
            engine.timer(of: item)?.parksFailure ?? engine.service.worker?.parksFailure(of: item) ?? false
        let failures = (state.failingWork[item.key]?.failures ?? 0) + 1
        if failure.isDeadly || isParked && failures >= RetryPolicy.failuresOfParked {
            return try park(item, failure.reason)
        }
        let isRemembered = rest(item, after: failures, pause: isParked ? RetryPolicy.backoff.first : nil)
        if isRemembered, !isParked, RetryPolicy.isTold(failures) {
            output.alarms.append(Alarm(.workFailing, "work fails: \(item.key): \(failure.reason)"))
        }
    }

    /// Returns false where so much fails already that nothing more of its source is begun for a while.
    private func rest(_ item: WorkItem, after failures: Int, pause: Int64?) -> Bool {
        guard state.failingWork[item.key] != nil || state.failingWork.count < PartitionEngine.failingWorkItems
        else {
            state.restingSources[item.timer] = clock.uptime + RetryPolicy.backoff.longest
            return false
        }
        let random = engine.settings.identifiers.random()
        let pause = pause ?? RetryPolicy.work.pause(after: failures, random: random)
        state.failingWork[item.key] = .init(failures: failures, restsUntil: clock.uptime + pause)
        return true
    }

    /// Parks work whose result has ended too many processes, or can never be written; its row waits for the
    /// operator's release.
    private func park(_ item: WorkItem, _ reason: String) throws {
        try suspects.park(item.key, reason, now: clock.now)
        state.parkedWork.insert(item.key)
        state.failingWork[item.key] = nil
        output.alarms.append(Alarm(.workParked, "work is parked: \(item.key): \(reason)"))
    }

    func startWork() throws {
        guard engine.hasWork else { return }
        if let scheduled = context.workAt { state.workAt = min(state.workAt ?? scheduled, scheduled) }
        // What is stored is compared with the clock again.
        if state.isClockBack(at: clock.now) { state.workAt = clock.now }
        state.workNow = clock.now
        guard let workAt = state.workAt, workAt <= clock.now else { return }
        // One that was not tried again for so long is gone.
        let forgotten = clock.uptime - RetryPolicy.work.longest
        state.failingWork = state.failingWork.filter { $0.value.restsUntil > forgotten }
        let resting = state.failingWork.filter { $0.value.restsUntil > clock.uptime }
        // What is not to be given out, whoever asks.
        let setAside = state.parkedWork.union(resting.keys)
        let (turns, nextTurn) = try dueTurns(excluding: setAside)
        let (work, nextWork) = try dueWork(excluding: setAside)
        for turn in turns { state.turnsInHand[turn.key] = turn.timer }
        state.workInHand.formUnion(work.map(\.key))
        output.work += turns + work
        let rested = resting.values.map(\.restsUntil).min().map(time(ofUptime:))
        state.workAt = [nextTurn, nextWork, rested].compactMap(\.self).min()
    }

    private func time(ofUptime uptime: Int64) -> Timestamp { clock.now.advanced(by: uptime - clock.uptime) }

    /// What a timer, or the worker, has due.
    ///
    /// A row that cannot be read must neither end every owner of the partition in turn nor keep the others waiting: its
    /// timer alone rests.
    private func ask(
        _ source: Int?,
        _ due: () throws -> (items: [WorkItem], next: Timestamp?)
    ) throws -> (items: [WorkItem], next: Timestamp?) {
        if let end = state.restingSources[source], end > clock.uptime { return ([], time(ofUptime: end)) }
        do {
            let found = try due()
            state.restingSources[source] = nil
            return found
        } catch let fault as StoreError where fault.isTransient {
            throw fault
        } catch {
            output.alarms.append(Alarm(.workUnreadable, "no work is begun: \(error)"))
            let end = clock.uptime + RetryPolicy.backoff.longest
            state.restingSources[source] = end
            return ([], time(ofUptime: end))
        }
    }

    /// The due turns of all timers.
    ///
    /// A timer without room left is asked again as soon as one of its turns ends.
    private func dueTurns(excluding setAside: Set<String>) throws -> (items: [WorkItem], next: Timestamp?) {
        var items: [WorkItem] = []
        var next: [Timestamp?] = []
        for (number, timer) in engine.timers.enumerated() {
            let inHand = Set(state.turnsInHand.filter { $0.value == number }.keys)
            let room = PartitionEngine.turnsAtOnce - inHand.count
            guard room > 0 else { continue }
            let due = try ask(number) {
                let (keys, next) = try timer.due(
                    connection,
                    now: clock.now,
                    limit: room,
                    excluding: inHand.union(setAside)
                )
                return (keys.map { WorkItem(key: $0, timer: number) }, next)
            }
            items += due.items
            if due.items.count < room { next.append(due.next) }
        }
        return (items, next.compactMap(\.self).min())
    }

    /// Due work of the worker.
    ///
    /// One without room left is asked again as soon as an item ends.
    private func dueWork(excluding setAside: Set<String>) throws -> (items: [WorkItem], next: Timestamp?) {
        guard let worker = engine.service.worker else { return ([], nil) }
        let room = worker.concurrency - state.workInHand.count
        guard room > 0 else { return ([], nil) }
        let due = try ask(nil) {
            try worker.due(
                connection,
                of: engine.settings.address,
                now: clock.now,
                limit: room,
                underWay: state.workInHand,
                excluding: state.workInHand.union(setAside)
            )
        }
        return (due.items, due.items.count < room ? due.next : nil)
    }
}

extension PartitionEngine {
    var hasWork: Bool { !timers.isEmpty || service.worker != nil }

    /// The timer whose turn an item is; nil for outside work.
    func timer(of item: WorkItem) -> (any DurableTimer)? { item.timer.map { timers[$0] } }
}
