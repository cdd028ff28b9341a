import Contracts
import Database
import Delivery
import Domain

struct ConsumptionRequestStore {
    let connection: any Connection

    /// Stores a request in place of an older one about the same transaction; false if there is a newer one.
    func add(_ request: ConsumptionRequest) throws -> Bool {
        let key = request.key
        return try connection.execute(
            """
            INSERT INTO consumption_request (transaction_id, bundle_id, environment, purchase_id, asked_at, due_at,
              is_consented, content)
            VALUES (\(key.transactionID), \(key.bundleID), \(key.environment), \(request.purchaseID),
              \(request.askedAt), \(request.dueAt), \(request.isConsented), \(try JSONColumn.text(request)))
            ON CONFLICT (transaction_id, bundle_id, environment) DO UPDATE SET asked_at = excluded.asked_at,
              due_at = excluded.due_at, is_consented = excluded.is_consented, content = excluded.content
            WHERE consumption_request.asked_at < excluded.asked_at
            """
        ) == 1
    }

    func request(_ key: ConsumptionRequest.Key) throws(StoreError) -> ConsumptionRequest? {
        try connection.content("SELECT content FROM consumption_request WHERE \(key.condition)")
    }

    func requests(about purchase: PurchaseKey) throws(StoreError) -> [ConsumptionRequest] {
        try connection.rows("SELECT content FROM consumption_request WHERE \(purchase.condition)") {
            row throws(StoreError) in try JSONColumn.value(of: row["content"])
        }
    }

    func save(_ request: ConsumptionRequest) throws {
        try connection.execute(
            """
            UPDATE consumption_request SET due_at = \(request.dueAt), is_consented = \(request.isConsented),
              content = \(try JSONColumn.text(request))
            WHERE \(request.key.condition) AND asked_at = \(request.askedAt)
            """
        )
    }

    func remove(_ request: ConsumptionRequest) throws(StoreError) {
        try connection.execute(
            "DELETE FROM consumption_request WHERE \(request.key.condition) AND asked_at = \(request.askedAt)"
        )
    }

    typealias Due = DueRow<ConsumptionRequest.Key, ConsumptionRequest>

    /// Those that are due, with those that a wrong clock has let expire.
    func due(_ bundleID: BundleID, now: Timestamp, limit: Int) throws(StoreError) -> [Due] {
        func rows(_ range: SQL) throws(StoreError) -> [Due] {
            try connection.rows(
                """
                SELECT transaction_id, bundle_id, environment, content FROM consumption_request
                WHERE bundle_id = \(bundleID) AND \(range)
                """
            ) { row throws(StoreError) -> Due in (try ConsumptionRequest.Key(row), try StoredContent(row)) }
        }
        let start = now.advanced(by: -ConsumptionRequest.deadlineMilliseconds)
        let expired = try rows("due_at IS NULL AND asked_at > \(start) ORDER BY asked_at LIMIT \(limit)")
        let due = try ConsumptionRequest.due(at: now).rows(by: "due_at", limit: limit, rows)
        return Array((expired + due).prefix(limit))
    }

    func nextDue(_ bundleID: BundleID, after now: Timestamp) throws(StoreError) -> Timestamp? {
        let later = ConsumptionRequest.due(at: now).later(than: "due_at")
        return try connection.value(
            "SELECT MIN(due_at) FROM consumption_request WHERE bundle_id = \(bundleID) AND \(later)"
        )
    }

    /// Those with consent: unanswered for longer than 6 hours, and expired.
    func counts(now: Timestamp) throws(StoreError) -> (late: Int, expired: Int) {
        let alarm = now.advanced(by: -ConsumptionRequest.alarmMilliseconds)
        let counts = try connection.row(
            """
            SELECT COALESCE(SUM(CASE WHEN asked_at <= \(alarm) AND due_at IS NOT NULL THEN 1 ELSE 0 END), 0) AS late,
              COALESCE(SUM(CASE WHEN due_at IS NULL THEN 1 ELSE 0 END), 0) AS expired
            FROM consumption_request WHERE is_consented = 1
            """
        ) { row throws(StoreError) -> (Int, Int) in (try row["late"], try row["expired"]) }
        return counts ?? (0, 0)
    }
}

extension ConsumptionRequest.Key {
    fileprivate var condition: SQL {
        "transaction_id = \(transactionID) AND bundle_id = \(bundleID) AND environment = \(environment)"
    }

    fileprivate init(_ row: Row) throws(StoreError) {
        self.init(
            environment: try row["environment"],
            bundleID: try row["bundle_id"],
            transactionID: try row["transaction_id"]
        )
    }
}
