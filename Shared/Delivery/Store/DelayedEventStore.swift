import Contracts
import Database

struct DelayedEventStore {
    let connection: any Connection

    struct DelayedRow: Equatable {
        static let columns = "number, due, time, \(FailedEvent.columns)"

        var number: Int64
        var due: Timestamp
        var time: Timestamp
        var failed: FailedEvent

        init(_ row: Row) throws(StoreError) {
            number = try row["number"]
            due = try row["due"]
            time = try row["time"]
            failed = try FailedEvent(row)
        }

        var listed: DelayedEvent {
            DelayedEvent(
                eventId: failed.eventID,
                kind: .event,
                from: PartitionAddress(failed.source),
                type: failed.type,
                subject: failed.subject,
                reason: failed.reason,
                firstReason: failed.firstReason,
                attempts: failed.attempts,
                due: due,
                time: time
            )
        }
    }

    /// Adds an event that has not been tried again yet.
    func delay(_ event: FailedEvent, due: Timestamp, now: Timestamp) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO delayed_event (\(raw: FailedEvent.columns), due, time)
            VALUES (\(event.source), \(event.eventID), \(event.type), \(event.subject), \(event.bytes),
              \(event.reason), \(event.firstReason), 0, \(due), \(now))
            """
        )
    }

    func subjects() throws(StoreError) -> [Subject: Timestamp] {
        let rows = try connection.rows(
            """
            SELECT subject, due FROM delayed_event
            WHERE number IN (SELECT MIN(number) FROM delayed_event GROUP BY subject)
            """
        )
        var subjects: [Subject: Timestamp] = [:]
        for row in rows { subjects[try row["subject"]] = try row["due"] }
        return subjects
    }

    func due(_ subject: Subject) throws(StoreError) -> Timestamp? {
        try connection.value(
            "SELECT due FROM delayed_event WHERE subject = \(subject) ORDER BY number LIMIT 1"
        )
    }

    func first(of subject: Subject) throws(StoreError) -> DelayedRow? {
        try connection.row(
            """
            SELECT \(raw: DelayedRow.columns) FROM delayed_event
            WHERE subject = \(subject) ORDER BY number LIMIT 1
            """,
            DelayedRow.init
        )
    }

    func event(_ eventID: String) throws(StoreError) -> DelayedRow? {
        try connection.row(
            """
            SELECT \(raw: DelayedRow.columns) FROM delayed_event WHERE event_id = \(eventID) ORDER BY number LIMIT 1
            """,
            DelayedRow.init
        )
    }

    func listed(limit: Int) throws(StoreError) -> [DelayedEvent] {
        try connection.rows(
            """
            SELECT number, due, time, source, event_id, type, subject, x'' AS event, reason, first_reason, attempts
            FROM delayed_event ORDER BY number LIMIT \(limit)
            """
        ) { row throws(StoreError) in try DelayedRow(row).listed }
    }

    func release(_ row: DelayedRow, due: Timestamp) throws(StoreError) {
        try connection.execute("UPDATE delayed_event SET due = \(due) WHERE number = \(row.number)")
    }

    func remove(_ row: DelayedRow) throws(StoreError) {
        try connection.execute("DELETE FROM delayed_event WHERE number = \(row.number)")
    }

    func postpone(_ row: DelayedRow, due: Timestamp, reason: String) throws(StoreError) {
        try connection.execute(
            """
            UPDATE delayed_event SET attempts = attempts + 1, due = \(due), reason = \(reason),
              first_reason = COALESCE(first_reason, \(reason))
            WHERE number = \(row.number) AND attempts = \(row.failed.attempts)
            """
        )
    }

    func count() throws(StoreError) -> Int { try connection.value("SELECT COUNT(*) FROM delayed_event") ?? 0 }
}
