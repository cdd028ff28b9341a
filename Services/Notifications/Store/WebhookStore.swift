import Contracts
import Database
import Delivery
import Domain

struct WebhookStore {
    let connection: any Connection

    /// Adds a new message behind its subject's undelivered ones; returns when it is due, nil when it waits for others.
    func add(_ message: WebhookMessage, now: Timestamp) throws(StoreError) -> Timestamp? {
        let (bundle, subject) = (message.bundleId, message.subject)
        let last: Int64? = try connection.value(
            """
            SELECT MAX(sequence) FROM webhook
            WHERE bundle_id = \(bundle) AND subject = \(subject) AND delivered_at IS NULL
            """
        )
        let webhook = Webhook.new(behindOthers: last != nil, now: now)
        let added = try connection.execute(
            """
            INSERT INTO webhook (about, change_id, event_type, bundle_id, subject, sequence, event_id, causation_id,
              traceparent, body, attempts, created_at, due_at)
            VALUES (\(message.key.about), \(message.key.changeId), \(message.type), \(bundle), \(subject),
              \((last ?? 0) + 1), \(message.eventId), \(message.causationId), \(message.traceparent),
              \(message.body), \(webhook.attempts), \(now), \(webhook.dueAt))
            ON CONFLICT (about, change_id) DO NOTHING
            """
        )
        return added == 1 ? webhook.dueAt : nil
    }

    /// The id of the newest change about something; nil before the first.
    func newestChange(about: String) throws(StoreError) -> String? {
        try connection.value(
            "SELECT change_id FROM webhook WHERE about = \(about) ORDER BY rowid DESC LIMIT 1"
        )
    }

    func row(_ key: WebhookRow.Key) throws(StoreError) -> WebhookRow? {
        try first("about = \(key.about) AND change_id = \(key.changeId)")
    }

    func oldestUndelivered(_ bundle: BundleID, _ subject: String) throws(StoreError) -> WebhookRow? {
        try first(
            "bundle_id = \(bundle) AND subject = \(subject) AND delivered_at IS NULL ORDER BY sequence LIMIT 1"
        )
    }

    private func first(_ condition: SQL) throws(StoreError) -> WebhookRow? {
        try connection.row(
            """
            SELECT about, change_id, bundle_id, subject, attempts, due_at, delivered_at FROM webhook
            WHERE \(condition)
            """,
            WebhookRow.init
        )
    }

    /// Stores a message's state; the body of a delivered one is deleted.
    ///
    /// `answer` is what the server said when it did not take the message; nil leaves what it said before.
    func save(_ row: WebhookRow, answer: String? = nil) throws(StoreError) {
        let (webhook, key) = (row.webhook, row.key)
        let changed = try connection.execute(
            """
            UPDATE webhook SET attempts = \(webhook.attempts), due_at = \(webhook.dueAt),
              delivered_at = \(webhook.deliveredAt), answer = COALESCE(\(answer), answer),
              body = CASE WHEN \(webhook.deliveredAt != nil) = 1 THEN '' ELSE body END
            WHERE about = \(key.about) AND change_id = \(key.changeId) AND delivered_at IS NULL
            """
        )
        guard changed == 1 else { throw .corrupt("a webhook that is delivered was to change") }
    }

    /// The messages that are due, longest first.
    func due(now: Timestamp, limit: Int) throws(StoreError) -> [WebhookJob] {
        try Webhook.due(at: now).rows(by: "due_at", limit: limit) { range throws(StoreError) in
            try connection.rows(
                "SELECT about, change_id, bundle_id, event_id, body, traceparent FROM webhook WHERE \(range)"
            ) { row throws(StoreError) in
                WebhookJob(
                    key: try WebhookRow.Key(row),
                    bundleId: try row["bundle_id"],
                    eventId: try row["event_id"],
                    time: now,
                    body: try row["body"],
                    traceparent: try row["traceparent"]
                )
            }
        }
    }

    func nextDue(after now: Timestamp) throws(StoreError) -> Timestamp? {
        let later = Webhook.due(at: now).later(than: "due_at")
        return try connection.value("SELECT MIN(due_at) FROM webhook WHERE \(later)")
    }

    func undelivered() throws(StoreError) -> (count: Int, oldest: Timestamp?, alarmed: Int) {
        let row = try connection.row(
            """
            SELECT COUNT(*) AS count, MIN(created_at) AS oldest,
              COALESCE(SUM(CASE WHEN attempts >= \(Webhook.alarmAttempts) THEN 1 ELSE 0 END), 0) AS alarmed
            FROM webhook WHERE delivered_at IS NULL
            """
        )
        guard let row else { return (0, nil, 0) }
        return (try row["count"], try row["oldest"], try row["alarmed"])
    }
}
