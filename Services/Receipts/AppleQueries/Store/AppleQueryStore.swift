import Contracts
import Database
import Delivery
import Domain

struct AppleQueryStore {
    let connection: any Connection

    /// Makes a query, or makes it anew: the result of a running job is then ignored, and what cannot be read replaced.
    func ask(_ query: AppleQuery) throws {
        var query = query
        if case .history = query.subject { query = query.widened(by: try known(query.id)) }
        try connection.execute(
            """
            INSERT INTO apple_query (query_id, bundle_id, api, urgency, asked_at, due_at, problem, content)
            VALUES (\(query.id), \(query.bundleID), \(query.api), \(query.urgency), \(query.askedAt),
              \(query.dueAt), \(query.problem), \(try JSONColumn.text(query)))
            ON CONFLICT (query_id) DO UPDATE SET
              api = excluded.api, urgency = excluded.urgency, asked_at = excluded.asked_at,
              due_at = excluded.due_at, problem = excluded.problem, content = excluded.content
            """
        )
    }

    func query(_ id: String) throws(StoreError) -> AppleQuery? {
        try connection.content("SELECT content FROM apple_query WHERE query_id = \(id)")
    }

    /// The same; nil where its row cannot be read, too: who asks anew mends it.
    func known(_ id: String) throws(StoreError) -> AppleQuery? {
        guard case .readable(let known) = try StoredContent(id, query) else { return nil }
        return known
    }

    /// Stores what the next attempt needs, unless the query was made anew meanwhile.
    func save(_ query: AppleQuery) throws {
        try connection.execute(
            """
            UPDATE apple_query SET api = \(query.api), due_at = \(query.dueAt), problem = \(query.problem),
              content = \(try JSONColumn.text(query))
            WHERE query_id = \(query.id) AND asked_at = \(query.askedAt)
            """
        )
    }

    /// Removes an answered query, unless it was made anew meanwhile.
    func remove(_ query: AppleQuery) throws(StoreError) {
        try connection.execute(
            "DELETE FROM apple_query WHERE query_id = \(query.id) AND asked_at = \(query.askedAt)"
        )
    }

    func remove(_ id: String) throws(StoreError) {
        try connection.execute("DELETE FROM apple_query WHERE query_id = \(id)")
    }

    /// The receipts of a buyer about whose purchases Apple is asked, also by what cannot be read.
    func evidence(of buyer: BuyerID, in bundleID: BundleID) throws(StoreError) -> [ReceiptID] {
        let start = AppleQuery.evidence(of: buyer, in: bundleID)
        let ids = try connection.rows(
            """
            SELECT query_id FROM apple_query
            WHERE query_id > \(start) AND query_id < \(start + Self.afterReceiptIDs)
            """
        ) { row throws(StoreError) -> String in try row["query_id"] }
        // One with a slash is of another buyer, whose id begins like this one's.
        return ids.map { String($0.dropFirst(start.count)) }.filter { !$0.contains("/") }
            .map(ReceiptID.init(unchecked:))
    }

    /// Is sorted behind every receipt id.
    private static let afterReceiptIDs = "~"

    func contains(_ problem: String, in queue: AppleQueryQueue) throws(StoreError) -> Bool {
        try connection.exists(
            """
            apple_query WHERE bundle_id = \(queue.bundleID) AND api = \(queue.api)
              AND urgency IN (0, 1, 2, 3) AND problem = \(problem)
            """
        )
    }

    typealias Due = DueRow<String, AppleQuery>

    /// Those that are due, but for the kinds that wait for an endpoint, which keep none of the others back.
    func due(
        _ queue: AppleQueryQueue,
        _ urgency: AppleQuery.Urgency,
        now: Timestamp,
        limit: Int,
        without resting: [AppleQuery.Kind]
    ) throws(StoreError) -> [Due] {
        let condition = resting.reduce(Self.condition(queue, urgency)) {
            "\($0) AND query_id NOT GLOB \($1.pattern)"
        }
        return try AppleQuery.due(at: now).rows(by: "due_at", limit: limit) { range throws(StoreError) in
            try connection.rows("SELECT query_id, content FROM apple_query WHERE \(condition) AND \(range)") {
                row throws(StoreError) -> Due in (try row["query_id"], try StoredContent(row))
            }
        }
    }

    func nextDue(
        _ queue: AppleQueryQueue,
        _ urgencies: [AppleQuery.Urgency] = AppleQuery.Urgency.allCases,
        after now: Timestamp
    ) throws(StoreError) -> Timestamp? {
        let later = AppleQuery.due(at: now).later(than: "due_at")
        var moments: [Timestamp?] = []
        for urgency in urgencies {
            let condition = Self.condition(queue, urgency)
            moments.append(
                try connection.value("SELECT MIN(due_at) FROM apple_query WHERE \(condition) AND \(later)")
            )
        }
        return moments.compactMap(\.self).min()
    }

    private static func condition(_ queue: AppleQueryQueue, _ urgency: AppleQuery.Urgency) -> SQL {
        "bundle_id = \(queue.bundleID) AND api = \(queue.api) AND urgency = \(urgency)"
    }

    // MARK: Metrics

    func hasMany(_ count: Int) throws(StoreError) -> Bool {
        try connection.value("SELECT COUNT(*) FROM (SELECT 1 FROM apple_query LIMIT \(count)) AS some")
            == count
    }

    /// Number of queries, time of the oldest, and number with a problem.
    func counts() throws(StoreError) -> (waiting: Int, oldest: Timestamp?, failing: Int) {
        let counts = try connection.row(
            "SELECT COUNT(*) AS waiting, MIN(asked_at) AS oldest, COUNT(problem) AS failing FROM apple_query"
        ) { row throws(StoreError) -> (Int, Timestamp?, Int) in
            (try row["waiting"], try row["oldest"], try row["failing"])
        }
        return counts ?? (0, nil, 0)
    }
}
