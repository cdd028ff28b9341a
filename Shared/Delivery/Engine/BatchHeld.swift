import Contracts
import Database
import Domain

/// Held events and dead letters inside a batch.
extension Batch {
    /// Tries the first held event of a subject.
    func retryHeld(_ subject: Subject) throws {
        let held = HeldStore(connection: connection)
        guard let row = try held.first(of: subject) else {
            state.held[subject] = nil
            return
        }
        isWriting = true
        try held.release(row.number)
        state.held[subject] = nil
        try apply(engine.decoder.decode(row.event), row.event, from: row.source, poison: nil, key: .held)
        try refreshHeld(subject)
    }

    /// Notes that the first held event of a subject failed again; after too many failures it is dead-lettered.
    func postponeHeld(_ subject: Subject, reason: String) throws {
        let held = HeldStore(connection: connection)
        guard let row = try held.first(of: subject) else { return }
        if row.attempts + 1 >= RetryPolicy.attempts {
            try held.release(row.number)
            try buryHeld(row, reason: reason)
        } else {
            let pause = RetryPolicy.backoff.pause(
                after: row.attempts + 2,
                random: engine.settings.identifiers.random()
            )
            try held.postpone(row, due: moment.now.advanced(by: pause), reason: reason)
        }
        try refreshHeld(subject)
    }

    /// Adds a dead letter, and says so.
    func bury(_ kept: HeldStore.Kept, letterID: String, unknownType: Bool, decidedBy: String) throws {
        try HeldStore(connection: connection).bury(
            kept,
            letterID: letterID,
            unknownType: unknownType,
            decidedBy: decidedBy,
            now: moment.now
        )
        output.alarms.append("dead letter: \(kept.type): \(kept.reason)")
        output.kept.append(.init(.parked, kept.reason))
    }

    /// Gives the first held event of a subject up, so that the subject flows again.
    func buryFirst(of subject: Subject, reason: String) throws {
        let held = HeldStore(connection: connection)
        if let row = try held.first(of: subject) {
            try held.release(row.number)
            try buryHeld(row, reason: reason)
        }
        try refreshHeld(subject)
    }

    private func buryHeld(_ row: HeldStore.HeldRow, reason: String) throws {
        let kept = HeldStore.Kept(
            source: row.source,
            eventID: row.eventID,
            type: row.type,
            subject: row.subject,
            event: row.event,
            reason: reason
        )
        try bury(kept, unknownType: false)
    }

    func refreshHeld(_ subject: Subject) throws {
        let rows = try connection.rows(
            "SELECT due FROM held WHERE subject = ? ORDER BY number LIMIT 1",
            [.text(subject.rawValue)]
        )
        state.held[subject] = try rows.first.map { Timestamp(milliseconds: try $0.integer(0)) }
    }

    /// Puts a dead letter back among the held events, due at once; nil when somebody else took it first.
    func retryLetter(_ identifier: String) throws -> DeadLetter? {
        let held = HeldStore(connection: connection)
        guard let found = try held.letter(identifier),
            try held.remove(found.letter, action: "retried", decidedBy: "operator", now: moment.now)
        else { return nil }
        try held.hold(found.kept, due: moment.now, now: moment.now)
        state.hold(found.kept.subject, until: moment.now)
        return found.letter
    }
}
