import Contracts
import Database

/// Events that wait for an operator's decision, inside one transaction.
struct DeadLetterStore {
    /// The permanent record about a delayed event or a dead letter.
    enum Action: String, CaseIterable, ValueConvertible {
        case added, retried, discarded, released
    }

    let connection: any Connection

    func add(
        _ event: FailedEvent,
        letterID: String,
        unknownType: Bool,
        decidedBy: String,
        now: Timestamp
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO dead_letter (letter_id, \(raw: FailedEvent.columns), unknown_type, time)
            VALUES (\(letterID), \(event.source), \(event.eventID), \(event.type), \(event.subject),
              \(event.bytes), \(event.reason), \(event.firstReason), \(event.attempts), \(unknownType), \(now))
            """
        )
        try audit(letterID, event.eventID, event.type, .added, decidedBy: decidedBy, now: now)
    }

    /// The oldest letters, or those whose type had no handler on arrival.
    func letters(unknownType: Bool = false, limit: Int = .max) throws(StoreError) -> [DeadLetter] {
        try connection.rows(
            """
            SELECT letter_id, source, type, subject, event_id, reason, first_reason, attempts, time FROM dead_letter
            WHERE unknown_type >= \(unknownType) ORDER BY time, letter_id LIMIT \(limit)
            """,
            Self.letter
        )
    }

    func letter(_ identifier: String) throws(StoreError) -> (letter: DeadLetter, event: FailedEvent)? {
        let row = try connection.row(
            """
            SELECT letter_id, time, \(raw: FailedEvent.columns) FROM dead_letter
            WHERE letter_id = \(identifier)
            """
        )
        guard let row else { return nil }
        var letter = try Self.letter(row)
        let event = try FailedEvent(row)
        letter.event = String(decoding: event.bytes, as: UTF8.self)
        return (letter, event)
    }

    /// Removes a letter and returns what it held; only the first remover gets it.
    func take(
        _ identifier: String,
        _ action: Action,
        decidedBy: String,
        now: Timestamp
    ) throws(StoreError) -> (letter: DeadLetter, event: FailedEvent)? {
        guard let found = try letter(identifier),
            try connection.execute("DELETE FROM dead_letter WHERE letter_id = \(identifier)") == 1
        else { return nil }
        try audit(identifier, found.event.eventID, found.event.type, action, decidedBy: decidedBy, now: now)
        return found
    }

    func count() throws(StoreError) -> Int { try connection.value("SELECT COUNT(*) FROM dead_letter") ?? 0 }

    private static func letter(_ row: Row) throws(StoreError) -> DeadLetter {
        DeadLetter(
            letterId: try row["letter_id"],
            from: PartitionAddress(try row["source"]),
            type: try row["type"],
            subject: try row["subject"],
            eventId: try row["event_id"],
            reason: try row["reason"],
            firstReason: try row["first_reason"],
            attempts: try row["attempts"],
            time: try row["time"]
        )
    }

    func audit(
        _ letterID: String,
        _ eventID: String,
        _ type: String,
        _ action: Action,
        decidedBy: String,
        now: Timestamp
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO dead_letter_audit (time, letter_id, event_id, type, action, decided_by)
            VALUES (\(now), \(letterID), \(eventID), \(type), \(action), \(decidedBy))
            """
        )
    }
}
