import Contracts
import Domain

extension PartitionEngine {
    /// The next deadline, in ms of the monotonic clock; nil when there is none.
    func nextDeadline(at clock: ClockReading) -> Int64? {
        var deadlines = state.senders.values.compactMap(\.timerAt)
        deadlines += state.senders.values.compactMap(\.lingering?.until)
        if let settleAt = state.settleAt { deadlines.append(settleAt) }
        if let owedAt = state.owedAt { deadlines.append(owedAt) }
        if dueRedrive != nil { deadlines.append(clock.uptime) }
        for waits in state.waits.values { deadlines.append(contentsOf: waits.map(\.deadline)) }
        let due = RetryPolicy.due(at: clock.now)
        let delayed = state.delayed.values.map { due.contains($0) ? clock.now : $0 }
        let work = state.isClockBack(at: clock.now) ? clock.now : state.workAt
        let durable = delayed + [work].compactMap(\.self)
        deadlines += durable.map {
            let delay = max(0, $0.milliseconds - clock.now.milliseconds)
            return clock.uptime + min(delay, RetryPolicy.backoff.longest)
        }
        return deadlines.min()
    }

    /// The receiver whose redrive can send a page now.
    var dueRedrive: PartitionAddress? {
        guard !state.redrives.isEmpty, state.depth < Self.outboxBound / 2 else { return nil }
        return state.redrives.keys.sorted().first { target in
            guard let machine = state.senders[target]?.machine, machine.quarantine == nil else {
                return false
            }
            return state.redrives[target]?.isUnderWay == true && machine.depth <= Self.redriveDepth
        }
    }
}
