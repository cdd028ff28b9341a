import Contracts
import Database

struct FailedEvent: Equatable {
    /// The partition that sent it, or `-` for standard input.
    var source: String
    var eventID: String
    var type: String
    var subject: String
    var bytes: [UInt8]
    var reason: String
}

extension FailedEvent {
    static let columns = "source, event_id, type, subject, event, reason"

    init(_ row: Row) throws(StoreError) {
        self.init(
            source: try row["source"],
            eventID: try row["event_id"],
            type: try row["type"],
            subject: try row["subject"],
            bytes: try row["event"],
            reason: try row["reason"]
        )
    }
}

struct HeldEventStore {
    let connection: any Connection

    struct HeldRow: Equatable {
        static let columns = "number, attempts, due, time, \(FailedEvent.columns)"

        var number: Int64
        var attempts: Int
        var due: Timestamp
        var time: Timestamp
        var failed: FailedEvent

        init(_ row: Row) throws(StoreError) {
            number = try row["number"]
            attempts = try row["attempts"]
            due = try row["due"]
            time = try row["time"]
            failed = try FailedEvent(row)
        }

        var listed: HeldEvent {
            HeldEvent(
                eventId: failed.eventID,
                kind: .event,
                from: PartitionAddress(failed.source),
                type: failed.type,
                subject: failed.subject,
                reason: failed.reason,
                attempts: attempts,
                due: due,
                time: time
            )
        }
    }

    func hold(_ event: FailedEvent, due: Timestamp, now: Timestamp) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO held_event (\(raw: FailedEvent.columns), attempts, due, time)
            VALUES (\(event.source), \(event.eventID), \(event.type), \(event.subject), \(event.bytes),
              \(event.reason), 0, \(due), \(now))
            """
        )
    }

    func subjects() throws(StoreError) -> [Subject: Timestamp] {
        let rows = try connection.rows(
            """
            SELECT subject, due FROM held_event
            WHERE number IN (SELECT MIN(number) FROM held_event GROUP BY subject)
            """
        )
        var subjects: [Subject: Timestamp] = [:]
        for row in rows { subjects[try row["subject"]] = try row["due"] }
        return subjects
    }

    func due(_ subject: Subject) throws(StoreError) -> Timestamp? {
        try connection.value(
            "SELECT due FROM held_event WHERE subject = \(subject) ORDER BY number LIMIT 1"
        )
    }

    func first(of subject: Subject) throws(StoreError) -> HeldRow? {
        try connection.row(
            """
            SELECT \(raw: HeldRow.columns) FROM held_event
            WHERE subject = \(subject) ORDER BY number LIMIT 1
            """,
            HeldRow.init
        )
    }

    func event(_ eventID: String) throws(StoreError) -> HeldRow? {
        try connection.row(
            """
            SELECT \(raw: HeldRow.columns) FROM held_event WHERE event_id = \(eventID) ORDER BY number LIMIT 1
            """,
            HeldRow.init
        )
    }

    func listed(limit: Int) throws(StoreError) -> [HeldEvent] {
        try connection.rows(
            """
            SELECT number, attempts, due, time, source, event_id, type, subject, x'' AS event, reason
            FROM held_event ORDER BY number LIMIT \(limit)
            """
        ) { row throws(StoreError) in try HeldRow(row).listed }
    }

    func release(_ row: HeldRow, due: Timestamp) throws(StoreError) {
        try connection.execute("UPDATE held_event SET due = \(due) WHERE number = \(row.number)")
    }

    func remove(_ row: HeldRow) throws(StoreError) {
        try connection.execute("DELETE FROM held_event WHERE number = \(row.number)")
    }

    func postpone(_ row: HeldRow, due: Timestamp, reason: String) throws(StoreError) {
        try connection.execute(
            """
            UPDATE held_event SET attempts = attempts + 1, due = \(due), reason = \(reason)
            WHERE number = \(row.number) AND attempts = \(row.attempts)
            """
        )
    }

    func count() throws(StoreError) -> Int { try connection.value("SELECT COUNT(*) FROM held_event") ?? 0 }
}
