import Contracts
import Domain

/// Events that nothing could handle: delayed ones and dead letters.
extension Batch {
    func delay(_ event: FailedEvent) throws {
        let pause = RetryPolicy.backoff.pause(after: 1, random: engine.settings.identifiers.random())
        let due = clock.now.advanced(by: pause)
        try delayed.delay(event, due: due, now: clock.now)
        state.delay(event.subject, until: due)
        output.refusals.append(.init(.delayed, event.reason))
    }

    /// Handles the first delayed event of a subject; after too many failures it is dead-lettered.
    func retryDelayed(_ subject: Subject, _ id: FailedItem.ID) throws {
        state.delayed[subject] = nil
        guard let row = try delayed.first(of: subject) else { return }
        let attempts = row.failed.attempts + 1
        if let failure = failures[id], !failure.isDeadly, attempts < RetryPolicy.attempts {
            let random = engine.settings.identifiers.random()
            let pause = RetryPolicy.backoff.pause(after: attempts + 1, random: random)
            try delayed.postpone(row, due: clock.now.advanced(by: pause), reason: failure.reason)
        } else {
            try delayed.remove(row)
            var event = row.failed
            event.attempts = attempts
            if let failure = failures[id] {
                event.reason = failure.reason
                event.firstReason = event.firstReason ?? failure.reason
                try deadLetter(event)
            } else {
                let source = PartitionAddress(event.source)
                let received = ReceivedEvent(item: id, bytes: event.bytes, source: source, delayed: event)
                try apply(engine.decoder.decode(event.bytes), received)
            }
        }
        try refreshDelayed(subject)
    }

    func refreshDelayed(_ subject: Subject) throws { state.delayed[subject] = try delayed.due(subject) }

    func deadLetter(
        _ event: FailedEvent,
        unknownType: Bool = false,
        decidedBy: String = "delivery",
        traceparent: String? = nil
    ) throws {
        try deadLetters.add(
            event,
            letterID: context.newIdentifier().rawValue,
            unknownType: unknownType,
            decidedBy: decidedBy,
            now: clock.now
        )
        let alarm = Alarm(
            .deadLetter,
            "dead letter: \(event.type): \(event.reason)",
            traceparent: traceparent
        )
        output.alarms.append(alarm)
        output.refusals.append(.init(.deadLettered, event.reason))
    }
}
