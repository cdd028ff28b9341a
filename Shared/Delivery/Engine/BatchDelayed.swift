import Contracts
import Domain

enum RetryPolicy {
    static let backoff = Backoff(first: 500, longest: 60_000)
    static let attempts = 12
    /// Of work that is tried again without end.
    static let work = Backoff(first: 30_000, longest: 3_600_000)

    /// Whether an alarm tells of a failure that was the `count`th in a row: at the first, second, fourth, eighth and so
    /// on, so that what fails all the time fills no log.
    static func isTold(_ count: Int) -> Bool { count.nonzeroBitCount == 1 }

    /// Which times of delayed events are due at `now`.
    static func due(at now: Timestamp) -> DueTimes { DueTimes(at: now, longestPause: backoff.longest) }
}

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
        if let failure = failures[id], !failure.isDeadly, row.attempts + 1 < RetryPolicy.attempts {
            let random = engine.settings.identifiers.random()
            let pause = RetryPolicy.backoff.pause(after: row.attempts + 2, random: random)
            try delayed.postpone(row, due: clock.now.advanced(by: pause), reason: failure.reason)
        } else {
            try delayed.remove(row)
            var event = row.failed
            if let failure = failures[id] {
                event.reason = failure.reason
                try deadLetter(event)
            } else {
                let source = PartitionAddress(event.source)
                let received = ReceivedEvent(item: id, bytes: event.bytes, source: source)
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
