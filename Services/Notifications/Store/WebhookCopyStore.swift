import Contracts
import Database

/// Copies of webhooks, for `counterfoil listen`: reading them changes no delivery.
struct WebhookCopyStore {
    /// The newest ones that are kept.
    static let maximumCopies: Int64 = 1_000

    let connection: any Connection

    /// Whether somebody has listened in this home.
    func areKept() throws(StoreError) -> Bool {
        let listening: Int64? = try connection.value("SELECT listening FROM webhook_listening")
        return listening != nil
    }

    /// Keeps copies from now on.
    func begin() throws(StoreError) {
        guard try !areKept() else { return }
        try connection.execute("INSERT INTO webhook_listening (listening) VALUES (1)")
    }

    /// Adds a copy of a message, unless there is one, and forgets the oldest.
    func add(_ message: WebhookMessage) throws(StoreError) {
        let added = try connection.execute(
            """
            INSERT INTO webhook_copy (about, change_id, event_type, bundle_id, event_id, traceparent, body)
            VALUES (\(message.key.about), \(message.key.changeId), \(message.type), \(message.bundleId),
              \(message.eventId), \(message.traceparent), \(message.body))
            ON CONFLICT (about, change_id) DO NOTHING
            """
        )
        guard added == 1, case let oldest = try last() - Self.maximumCopies, oldest > 0 else { return }
        try connection.execute("DELETE FROM webhook_copy WHERE position <= \(oldest)")
    }

    /// The position of the newest copy; 0 before the first.
    func last() throws(StoreError) -> Int64 {
        try connection.value("SELECT MAX(position) FROM webhook_copy") ?? 0
    }

    /// The copies after a position, oldest first.
    ///
    /// A position beyond the newest is one of a store that was lost: there is nothing after it, and the page ends where
    /// this store does.
    func page(after position: Int64, limit: Int) throws(StoreError) -> WebhooksPage {
        let webhooks = try connection.rows(
            """
            SELECT position, event_type, bundle_id, event_id, traceparent, body FROM webhook_copy
            WHERE position > \(position) ORDER BY position LIMIT \(limit)
            """
        ) { row throws(StoreError) in
            WebhooksPage.Webhook(
                position: try row["position"],
                bundleId: try row["bundle_id"],
                id: try row["event_id"],
                type: try row["event_type"],
                body: try row["body"],
                traceparent: try row["traceparent"]
            )
        }
        let end = if let newest = webhooks.last { newest.position } else { try last() }
        return WebhooksPage(webhooks: webhooks, last: end)
    }
}
