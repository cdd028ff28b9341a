import Contracts
import Database

extension Batch {
    /// Sends the next page of every current state; requests and heartbeats are answered between two pages.
    func redrive(to target: PartitionAddress, _ id: FailedItem.ID) throws {
        guard let former = state.redrives[target] else { return }
        var redrive = former
        if let failure = failures[id] {
            redrive.failure = failure.reason
            let link = "\(engine.settings.address) → \(target)"
            output.alarms.append(Alarm(.redriveStopped, "the redrive \(link) has stopped: \(failure.reason)"))
        } else {
            (context.cause, context.traceparent) = (former.requestID, nil)
            let page = try attempt(id) {
                try engine.service.redrive(to: target, after: former.key, in: context)
            }
            redrive.rows += page.rows
            if page.next.isEmpty { redrive.finishedAt = clock.now } else { redrive.key = page.next }
        }
        try RedriveStore(connection: connection).advance(redrive, from: former)
        state.redrives[target] = redrive
    }
}
