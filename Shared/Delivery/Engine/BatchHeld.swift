import Contracts
import Database
import Domain

extension Batch {
    var held: HeldEventStore { HeldEventStore(connection: connection) }
    var deadLetters: DeadLetterStore { DeadLetterStore(connection: connection) }

    func retryHeld(_ subject: Subject) throws {
        guard let row = try held.first(of: subject) else {
            state.held[subject] = nil
            return
        }
        isWriting = true
        try held.remove(row)
        state.held[subject] = nil
        let event = row.failed
        try apply(
            engine.decoder.decode(event.bytes),
            event.bytes,
            from: event.source,
            poison: nil,
            key: .held
        )
        try refreshHeld(subject)
    }

    /// Counts a failure of the first held event of a subject; after too many the event is dead-lettered.
    func postponeHeld(_ subject: Subject, reason: String) throws {
        guard let row = try held.first(of: subject) else { return }
        guard row.attempts + 1 < RetryPolicy.attempts else {
            return try deadLetterFirst(of: subject, reason: reason)
        }
        let pause = RetryPolicy.backoff.pause(
            after: row.attempts + 2,
            random: engine.settings.identifiers.random()
        )
        try held.postpone(row, due: moment.now.advanced(by: pause), reason: reason)
        try refreshHeld(subject)
    }

    func deadLetterFirst(of subject: Subject, reason: String) throws {
        if let row = try held.first(of: subject) {
            try held.remove(row)
            var event = row.failed
            event.reason = reason
            try deadLetter(event)
        }
        try refreshHeld(subject)
    }

    func deadLetter(
        _ event: FailedEvent,
        unknownType: Bool = false,
        decidedBy: String = "delivery"
    ) throws {
        try deadLetters.add(
            event,
            letterID: context.newIdentifier().rawValue,
            unknownType: unknownType,
            decidedBy: decidedBy,
            now: moment.now
        )
        output.alarms.append("dead letter: \(event.type): \(event.reason)")
        output.refusals.append(.init(.parked, event.reason))
    }

    func refreshHeld(_ subject: Subject) throws { state.held[subject] = try held.due(subject) }

    /// Puts a dead letter back among the held events, due at once; nil when it was already taken.
    func retryLetter(_ identifier: String) throws -> DeadLetter? {
        guard let found = try deadLetters.letter(identifier),
            try deadLetters.remove(found.letter, .retried, decidedBy: "operator", now: moment.now)
        else { return nil }
        try held.hold(found.event, due: moment.now, now: moment.now)
        state.hold(found.event.subject, until: moment.now)
        return found.letter
    }
}
