import Contracts
import Database
import ReceiptsCore

struct AppleQueryStore {
    let connection: any Connection

    /// Makes a query, or makes it anew: the result of a running job is then ignored.
    func ask(_ query: AppleQuery) throws {
        let query = query.widened(by: try self.query(query.id))
        try connection.execute(
            """
            INSERT INTO apple_query (\(AppleQuery.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (query_id) DO UPDATE SET
              api = excluded.api, content = excluded.content, urgency = excluded.urgency,
              asked_at = excluded.asked_at, due_at = excluded.due_at, attempts = 0, refusals = 0, failures = 0,
              problem = NULL
            """,
            try query.values()
        )
    }

    func query(_ id: String) throws(StoreError) -> AppleQuery? {
        let row = try connection.row(
            "SELECT \(AppleQuery.columns) FROM apple_query WHERE query_id = ?",
            [.text(id)]
        )
        return try row.map(AppleQuery.init(row:))
    }

    /// Stores what the next attempt needs, unless the query was made anew meanwhile.
    func save(_ query: AppleQuery) throws {
        let values = try query.values()
        try connection.execute(
            """
            UPDATE apple_query SET api = ?, content = ?, due_at = ?, attempts = ?, refusals = ?, failures = ?,
              problem = ?
            WHERE query_id = ? AND asked_at = ?
            """,
            [values[2], values[4]] + values[7...11] + [values[0], values[6]]
        )
    }

    /// Removes an answered query, unless it was made anew meanwhile.
    func remove(_ query: AppleQuery) throws(StoreError) {
        try connection.execute(
            "DELETE FROM apple_query WHERE query_id = ? AND asked_at = ?",
            [.text(query.id), .integer(query.askedAt.milliseconds)]
        )
    }

    func remove(_ id: String) throws(StoreError) {
        try connection.execute("DELETE FROM apple_query WHERE query_id = ?", [.text(id)])
    }

    func contains(_ problem: String, in queue: AppleQueue) throws(StoreError) -> Bool {
        try connection.row(
            """
            SELECT 1 FROM apple_query
            WHERE bundle_id = ? AND api = ? AND urgency IN (0, 1) AND problem = ? LIMIT 1
            """,
            [.text(queue.bundleID.rawValue), .text(queue.api.rawValue), .text(problem)]
        ) != nil
    }

    func due(
        _ queue: AppleQueue,
        _ urgency: AppleQuery.Urgency,
        now: Timestamp,
        limit: Int
    ) throws(StoreError) -> [AppleQuery] {
        let rows = try connection.rows(
            """
            SELECT \(AppleQuery.columns) FROM apple_query
            WHERE bundle_id = ? AND api = ? AND urgency = ? AND due_at <= ? ORDER BY due_at LIMIT ?
            """,
            [
                .text(queue.bundleID.rawValue), .text(queue.api.rawValue), Value(urgency.rawValue),
                .integer(now.milliseconds), Value(limit),
            ]
        )
        return try rows.map(AppleQuery.init(row:))
    }

    func nextDue(_ queue: AppleQueue, after now: Timestamp) throws(StoreError) -> Timestamp? {
        var moments: [Timestamp] = []
        for urgency in AppleQuery.Urgency.allCases {
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
            if let due = try row?.optionalInteger(0) { moments.append(Timestamp(milliseconds: due)) }
        }
        return moments.min()
    }

    // MARK: Metrics

    func hasMany(_ count: Int) throws(StoreError) -> Bool {
        let row = try connection.row(
            "SELECT COUNT(*) FROM (SELECT 1 FROM apple_query LIMIT ?) AS some",
            [Value(count)]
        )
        return try row?.int(0) == count
    }

    /// Number of queries, time of the oldest, and number with a problem.
    func counts() throws(StoreError) -> (waiting: Int, oldest: Timestamp?, failing: Int) {
        let row = try connection.row("SELECT COUNT(*), MIN(asked_at), COUNT(problem) FROM apple_query")
        let oldest = try row?.optionalInteger(1).map(Timestamp.init(milliseconds:))
        return (try row?.int(0) ?? 0, oldest, try row?.int(2) ?? 0)
    }
}
