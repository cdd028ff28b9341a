import Contracts
import Database
import ReceiptsCore

/// The queries to Apple that a partition has no answer to yet.
struct AppleQueryStore {
    let connection: any Connection

    /// Asks, or asks anew what is being asked: an answer that is under way then is not the last.
    func ask(_ row: AppleQueryRecord) throws {
        let row = try row.widened(by: self.row(row.id))
        try connection.execute(
            """
            INSERT INTO apple_query (\(AppleQueryRecord.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (query_id) DO UPDATE SET
              api = excluded.api, content = excluded.content, urgency = excluded.urgency,
              asked_at = excluded.asked_at, due_at = excluded.due_at, attempts = 0, refusals = 0, troubles = 0,
              trouble = NULL
            """,
            try row.values()
        )
    }

    func row(_ id: String) throws(StoreError) -> AppleQueryRecord? {
        let row = try connection.row(
            "SELECT \(AppleQueryRecord.columns) FROM apple_query WHERE query_id = ?",
            [.text(id)]
        )
        return try row.map(AppleQueryRecord.init(row:))
    }

    /// Keeps what the next attempt needs; false if it was asked anew meanwhile, or is gone.
    @discardableResult
    func save(_ row: AppleQueryRecord) throws -> Bool {
        let values = try row.values()
        let changed = try connection.execute(
            """
            UPDATE apple_query SET api = ?, content = ?, due_at = ?, attempts = ?, refusals = ?, troubles = ?,
              trouble = ?
            WHERE query_id = ? AND asked_at = ?
            """,
            [values[2], values[4]] + values[7...11] + [values[0], values[6]]
        )
        return changed == 1
    }

    /// Forgets a query that is answered; false if it was asked anew meanwhile, or is gone.
    @discardableResult
    func remove(_ row: AppleQueryRecord) throws(StoreError) -> Bool {
        let changed = try connection.execute(
            "DELETE FROM apple_query WHERE query_id = ? AND asked_at = ?",
            [.text(row.id), .integer(row.askedAt.milliseconds)]
        )
        return changed == 1
    }

    /// Forgets a query whatever became of it.
    func remove(_ id: String) throws(StoreError) {
        try connection.execute("DELETE FROM apple_query WHERE query_id = ?", [.text(id)])
    }

    /// Whether the query, or another one of its app, has met with a trouble already.
    func meets(_ trouble: String, _ row: AppleQueryRecord) throws(StoreError) -> Bool {
        try connection.row(
            """
            SELECT 1 FROM apple_query
            WHERE bundle_id = ? AND api = ? AND urgency IN (0, 1) AND trouble = ? LIMIT 1
            """,
            [.text(row.bundleID.rawValue), .text(row.query.api.rawValue), .text(trouble)]
        ) != nil
    }

    // MARK: Due

    /// Questions to one api that are due, the longest first.
    func due(
        _ queue: AppleQueue,
        _ urgency: AppleQueryRecord.Urgency,
        now: Timestamp,
        limit: Int
    ) throws(StoreError) -> [AppleQueryRecord] {
        let rows = try connection.rows(
            """
            SELECT \(AppleQueryRecord.columns) FROM apple_query
            WHERE bundle_id = ? AND api = ? AND urgency = ? AND due_at <= ?
            ORDER BY due_at LIMIT ?
            """,
            [
                .text(queue.bundleID.rawValue), .text(queue.api.rawValue), Value(urgency.rawValue),
                .integer(now.milliseconds), Value(limit),
            ]
        )
        return try rows.map(AppleQueryRecord.init(row:))
    }

    /// When the next query to an api will be due that is not due yet.
    func nextDue(_ queue: AppleQueue, after now: Timestamp) throws(StoreError) -> Timestamp? {
        var next: Timestamp?
        for urgency in AppleQueryRecord.Urgency.allCases {
            let row = try connection.row(
                """
                SELECT MIN(due_at) FROM apple_query
                WHERE bundle_id = ? AND api = ? AND urgency = ? AND due_at > ?
                """,
                [
                    .text(queue.bundleID.rawValue), .text(queue.api.rawValue), Value(urgency.rawValue),
                    .integer(now.milliseconds),
                ]
            )
            guard let due = try row?.optionalInteger(0).map(Timestamp.init(milliseconds:)) else { continue }
            next = min(next ?? due, due)
        }
        return next
    }

    // MARK: Figures

    /// Whether there are so many queries.
    func hasMany(_ bound: Int) throws(StoreError) -> Bool {
        let row = try connection.row(
            "SELECT COUNT(*) FROM (SELECT 1 FROM apple_query LIMIT ?) AS some",
            [Value(bound)]
        )
        return try row?.int(0) == bound
    }

    /// How many queries have no answer, since when the oldest has none, and how many met with trouble last.
    func counts() throws(StoreError) -> (waiting: Int, oldest: Timestamp?, troubled: Int) {
        let row = try connection.row(
            "SELECT COUNT(*), MIN(asked_at), COUNT(trouble) FROM apple_query"
        )
        let oldest = try row?.optionalInteger(1).map(Timestamp.init(milliseconds:))
        return (try row?.int(0) ?? 0, oldest, try row?.int(2) ?? 0)
    }
}
