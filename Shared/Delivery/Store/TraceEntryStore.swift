package import Contracts
package import Database

/// Trace entries that a service's own rows do not show, because a row shows only the last message of each kind.
///
/// These are repeats, such as a proof submitted again; a message that comes once has no entry here.
struct TraceEntryStore {
    /// Per subject; the oldest go first.
    static let maximumEntries: Int64 = 64

    let connection: any Connection

    func add(_ recorded: RecordedTraceEntry) throws(StoreError) {
        let (subject, entry) = (recorded.subject, recorded.entry)
        let known = try connection.row(
            """
            SELECT COALESCE(MAX(number), 0) AS last,
              COALESCE(SUM(CASE WHEN event_id = \(entry.id) THEN 1 ELSE 0 END), 0) AS repeats
            FROM trace_entry WHERE subject = \(subject)
            """
        )
        guard let known, try known["repeats"] == 0 else { return }
        let number: Int64 = try known["last"] + 1
        try connection.execute(
            """
            INSERT INTO trace_entry (subject, number, time, type, event_id, causation_id)
            VALUES (\(subject), \(number), \(entry.time), \(entry.type), \(entry.id), \(entry.causationid))
            """
        )
        guard number > Self.maximumEntries else { return }
        try connection.execute(
            "DELETE FROM trace_entry WHERE subject = \(subject) AND number <= \(number - Self.maximumEntries)"
        )
    }

    func trace(_ identifiers: Set<String>) throws(StoreError) -> Trace {
        var trace = Trace()
        for identifier in identifiers.sorted() {
            let rows = try connection.rows(
                """
                SELECT subject, time, type, event_id, causation_id FROM trace_entry
                WHERE subject = \(identifier) OR event_id = \(identifier) OR causation_id = \(identifier)
                ORDER BY subject, number
                """
            )
            for row in rows {
                trace.related.insert(try row["subject"])
                trace.entries.append(try Trace.Entry(row, type: row["type"]))
            }
        }
        return trace
    }
}

extension Trace.Entry {
    /// Throws `StoreError.corrupt` when a column is missing.
    package init(
        _ row: Row,
        type: String,
        time: String = "time",
        event: String = "event_id",
        cause: String? = "causation_id"
    ) throws(StoreError) {
        var causation: String?
        if let cause { causation = try row[cause] }
        self.init(time: try row[time], type: type, id: try row[event], causationid: causation)
    }
}
