import Contracts
import Database
import Delivery

struct ConsumptionRequestStore {
    let connection: any Connection

    /// Stores a request in place of an older one about the same transaction; false if there is a newer one.
    func add(_ request: ConsumptionRequest) throws -> Bool {
        let key = request.key
        return try connection.execute(
            """
            INSERT INTO consumption_request (transaction_id, bundle_id, environment, asked_at, due_at, is_consented,
              content)
            VALUES (\(key.transactionID), \(key.bundleID), \(key.environment), \(request.askedAt),
              \(request.dueAt), \(request.isConsented), \(try JSONColumn.text(request)))
            ON CONFLICT (transaction_id, bundle_id, environment) DO UPDATE SET asked_at = excluded.asked_at,
              due_at = excluded.due_at, is_consented = excluded.is_consented, content = excluded.content
            WHERE consumption_request.asked_at < excluded.asked_at
            """
        ) == 1
    }

    func request(_ key: ConsumptionRequest.Key) throws(StoreError) -> ConsumptionRequest? {
        try connection.row("SELECT content FROM consumption_request WHERE \(key.condition)", Self.request)
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

    func due(_ bundleID: BundleID, now: Timestamp, limit: Int) throws(StoreError) -> [ConsumptionRequest] {
        try connection.rows(
            """
            SELECT content FROM consumption_request
            WHERE bundle_id = \(bundleID) AND due_at <= \(now) ORDER BY due_at LIMIT \(limit)
            """,
            Self.request
        )
    }

    func nextDue(_ bundleID: BundleID, after now: Timestamp) throws(StoreError) -> Timestamp? {
        try connection.value(
            """
            SELECT MIN(due_at) FROM consumption_request
            WHERE bundle_id = \(bundleID) AND due_at > \(now)
            """
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

    private static func request(_ row: Row) throws(StoreError) -> ConsumptionRequest {
        try JSONColumn.value(of: row["content"])
    }
}

extension ConsumptionRequest.Key {
    fileprivate var condition: SQL {
        "transaction_id = \(transactionID) AND bundle_id = \(bundleID) AND environment = \(environment)"
    }
}
