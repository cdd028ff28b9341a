import Contracts
import Database

/// Events that wait to be tried again, and those that nobody tries any more, inside one transaction.
struct HeldStore {
    let connection: any Connection

    /// An event that waits to be tried again.
    struct HeldRow: Equatable {
        var number: Int64
        var eventID: String
        var type: String
        var source: String
        var subject: String
        var attempts: Int
        var event: [UInt8]
    }

    /// An event as it is held or dead-lettered.
    struct Kept: Equatable {
        var source: String
        var eventID: String
        var type: String
        var subject: String
        var event: [UInt8]
        var reason: String
    }

    // MARK: Held

    func hold(_ kept: Kept, due: Timestamp, now: Timestamp) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO held (source, event_id, type, subject, event, attempts, due, reason, time)
            VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?)
            """,
            [
                .text(kept.source), .text(kept.eventID), .text(kept.type), .text(kept.subject),
                .blob(kept.event),
                .integer(due.milliseconds), .text(kept.reason), .integer(now.milliseconds),
            ]
        )
    }

    /// The first event of every subject, and when it is due.
    func subjects() throws(StoreError) -> [Subject: Timestamp] {
        let rows = try connection.rows(
            "SELECT subject, due FROM held WHERE number IN (SELECT MIN(number) FROM held GROUP BY subject)"
        )
        var subjects: [Subject: Timestamp] = [:]
        for row in rows {
            subjects[Subject(unchecked: try row.text(0))] = Timestamp(milliseconds: try row.integer(1))
        }
        return subjects
    }

    func first(of subject: Subject) throws(StoreError) -> HeldRow? {
        let row = try connection.row(
            """
            SELECT number, event_id, type, source, subject, attempts, event FROM held
            WHERE subject = ? ORDER BY number LIMIT 1
            """,
            [.text(subject.rawValue)]
        )
        return try row.map(Self.held)
    }

    private static func held(_ row: Row) throws(StoreError) -> HeldRow {
        HeldRow(
            number: try row.integer(0),
            eventID: try row.text(1),
            type: try row.text(2),
            source: try row.text(3),
            subject: try row.text(4),
            attempts: try row.int(5),
            event: try row.blob(6)
        )
    }

    /// The held event with this id: as it is stored, and as the operator sees it.
    func row(ofEvent eventID: String) throws(StoreError) -> (row: HeldRow, event: HeldEvent)? {
        let row = try connection.row(
            """
            SELECT number, event_id, type, source, subject, attempts, event, due, reason, time FROM held
            WHERE event_id = ? ORDER BY number LIMIT 1
            """,
            [.text(eventID)]
        )
        guard let row else { return nil }
        let held = try Self.held(row)
        return (held, try Self.event(held, row, from: 7))
    }

    /// The held events as the operator sees them, in the order in which they came.
    func listed(limit: Int) throws(StoreError) -> [HeldEvent] {
        let rows = try connection.rows(
            """
            SELECT number, event_id, type, source, subject, attempts, x'', due, reason, time FROM held
            ORDER BY number LIMIT ?
            """,
            [Value(limit)]
        )
        var events: [HeldEvent] = []
        for row in rows { events.append(try Self.event(Self.held(row), row, from: 7)) }
        return events
    }

    private static func event(_ held: HeldRow, _ row: Row, from column: Int) throws(StoreError) -> HeldEvent {
        HeldEvent(
            eventId: held.eventID,
            kind: .event,
            from: PartitionAddress(held.source),
            type: held.type,
            subject: held.subject,
            reason: try row.text(column + 1),
            attempts: held.attempts,
            due: Timestamp(milliseconds: try row.integer(column)),
            time: Timestamp(milliseconds: try row.integer(column + 2))
        )
    }

    /// Makes a held event due.
    func release(_ row: HeldRow, due: Timestamp) throws(StoreError) {
        try connection.execute(
            "UPDATE held SET due = ? WHERE number = ?",
            [.integer(due.milliseconds), .integer(row.number)]
        )
    }

    func release(_ number: Int64) throws(StoreError) {
        try connection.execute("DELETE FROM held WHERE number = ?", [.integer(number)])
    }

    func postpone(_ row: HeldRow, due: Timestamp, reason: String) throws(StoreError) {
        try connection.execute(
            "UPDATE held SET attempts = attempts + 1, due = ?, reason = ? WHERE number = ? AND attempts = ?",
            [.integer(due.milliseconds), .text(reason), .integer(row.number), .integer(Int64(row.attempts))]
        )
    }

    func heldCount() throws(StoreError) -> Int {
        try connection.row("SELECT COUNT(*) FROM held")?.int(0) ?? 0
    }

    // MARK: Dead letters

    func bury(
        _ kept: Kept,
        letterID: String,
        unknownType: Bool,
        decidedBy: String,
        now: Timestamp
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO dead_letter (letter_id, source, event_id, type, subject, event, reason, unknown_type, time)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(letterID), .text(kept.source), .text(kept.eventID), .text(kept.type),
                .text(kept.subject),
                .blob(kept.event), .text(kept.reason), Value(unknownType), .integer(now.milliseconds),
            ]
        )
        try audit(letterID, kept.eventID, kept.type, action: "kept", decidedBy: decidedBy, now: now)
    }

    func letters(limit: Int) throws(StoreError) -> [DeadLetter] {
        let rows = try connection.rows(
            """
            SELECT letter_id, source, type, subject, event_id, reason, time FROM dead_letter
            ORDER BY time, letter_id LIMIT ?
            """,
            [.integer(Int64(limit))]
        )
        var letters: [DeadLetter] = []
        for row in rows { letters.append(try Self.letter(row)) }
        return letters
    }

    func letter(_ identifier: String) throws(StoreError) -> (letter: DeadLetter, kept: Kept)? {
        let row = try connection.row(
            """
            SELECT letter_id, source, type, subject, event_id, reason, time, event FROM dead_letter
            WHERE letter_id = ?
            """,
            [.text(identifier)]
        )
        guard let row else { return nil }
        var letter = try Self.letter(row)
        let event = try row.blob(7)
        letter.event = String(decoding: event, as: UTF8.self)
        let kept = Kept(
            source: try row.text(1),
            eventID: letter.eventId,
            type: letter.type,
            subject: letter.subject,
            event: event,
            reason: letter.reason
        )
        return (letter, kept)
    }

    /// Removes a letter; whoever removes it first has it.
    func remove(
        _ letter: DeadLetter,
        action: String,
        decidedBy: String,
        now: Timestamp
    ) throws(StoreError) -> Bool {
        let removed = try connection.execute(
            "DELETE FROM dead_letter WHERE letter_id = ?",
            [.text(letter.letterId)]
        )
        guard removed == 1 else { return false }
        try audit(
            letter.letterId,
            letter.eventId,
            letter.type,
            action: action,
            decidedBy: decidedBy,
            now: now
        )
        return true
    }

    func unknownTypeLetters() throws(StoreError) -> [DeadLetter] {
        let rows = try connection.rows(
            """
            SELECT letter_id, source, type, subject, event_id, reason, time FROM dead_letter
            WHERE unknown_type = 1 ORDER BY time, letter_id
            """
        )
        var letters: [DeadLetter] = []
        for row in rows { letters.append(try Self.letter(row)) }
        return letters
    }

    func deadLetterCount() throws(StoreError) -> Int {
        try connection.row("SELECT COUNT(*) FROM dead_letter")?.int(0) ?? 0
    }

    private static func letter(_ row: Row) throws(StoreError) -> DeadLetter {
        DeadLetter(
            letterId: try row.text(0),
            from: PartitionAddress(try row.text(1)),
            type: try row.text(2),
            subject: try row.text(3),
            eventId: try row.text(4),
            reason: try row.text(5),
            time: Timestamp(milliseconds: try row.integer(6))
        )
    }

    func audit(
        _ letterID: String,
        _ eventID: String,
        _ type: String,
        action: String,
        decidedBy: String,
        now: Timestamp
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO dead_letter_audit (time, letter_id, event_id, type, action, decided_by)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(now.milliseconds), .text(letterID), .text(eventID), .text(type), .text(action),
                .text(decidedBy),
            ]
        )
    }
}
