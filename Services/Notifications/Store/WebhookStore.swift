import Contracts
import Database
import NotificationsCore

/// One row of `webhook`.
struct WebhookRow: Equatable {
    /// Names a message for ever: the purchase, and what follows from the ledger's lines that it reports.
    struct Key: Hashable, Codable {
        var purchaseId: PurchaseID
        var changeId: String
    }

    var key: Key
    var bundleId: BundleID
    var buyerId: BuyerID
    /// The place among the buyer's undelivered messages.
    var sequence: Int64
    var webhook: Webhook
}

/// What the apps' own servers are told, in order per buyer.
struct WebhookStore {
    let connection: any Connection

    /// Adds a message behind the buyer's undelivered ones; nothing when it is there already.
    ///
    /// - Returns: when it is due; nil when it has to wait for others.
    func add(
        _ key: WebhookRow.Key,
        _ message: Event<EntitlementChangedV1>,
        body: String,
        now: Timestamp
    ) throws(StoreError) -> Timestamp? {
        let last = try lastUndelivered(message.data.bundleId, message.data.buyerId)
        let webhook = Webhook(behindOthers: last != nil, now: now)
        let added = try connection.execute(
            """
            INSERT INTO webhook (purchase_id, change_id, bundle_id, buyer_id, sequence, event_id, causation_id,
              body, attempts, created_at, due_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
            ON CONFLICT (purchase_id, change_id) DO NOTHING
            """,
            [
                .text(key.purchaseId.rawValue), .text(key.changeId), .text(message.data.bundleId.rawValue),
                .text(message.data.buyerId.rawValue), .integer((last ?? 0) + 1), .text(message.id.rawValue),
                Value(message.causationID?.rawValue), .text(body), .integer(now.milliseconds),
                Value(webhook.dueAt?.milliseconds),
            ]
        )
        return added == 1 ? webhook.dueAt : nil
    }

    private func lastUndelivered(_ bundle: BundleID, _ buyer: BuyerID) throws(StoreError) -> Int64? {
        try connection.row(
            "SELECT MAX(sequence) FROM webhook WHERE bundle_id = ? AND buyer_id = ? AND delivered_at IS NULL",
            [.text(bundle.rawValue), .text(buyer.rawValue)]
        )?.optionalInteger(0)
    }

    /// A message by its key.
    func row(_ key: WebhookRow.Key) throws(StoreError) -> WebhookRow? {
        try connection.row(
            "SELECT \(Self.columns) FROM webhook WHERE purchase_id = ? AND change_id = ?",
            [.text(key.purchaseId.rawValue), .text(key.changeId)]
        ).map(WebhookRow.init)
    }

    /// The buyer's oldest undelivered message.
    func oldestUndelivered(_ bundle: BundleID, _ buyer: BuyerID) throws(StoreError) -> WebhookRow? {
        try connection.row(
            """
            SELECT \(Self.columns) FROM webhook
            WHERE bundle_id = ? AND buyer_id = ? AND delivered_at IS NULL ORDER BY sequence LIMIT 1
            """,
            [.text(bundle.rawValue), .text(buyer.rawValue)]
        ).map(WebhookRow.init)
    }

    private static let columns = """
        purchase_id, change_id, bundle_id, buyer_id, sequence, attempts, due_at, delivered_at
        """

    /// Writes how far a message has come; the body of a delivered one goes.
    func save(_ row: WebhookRow) throws(StoreError) {
        let changed = try connection.execute(
            """
            UPDATE webhook SET attempts = ?, due_at = ?, delivered_at = ?,
              body = CASE WHEN ? = 1 THEN '' ELSE body END
            WHERE purchase_id = ? AND change_id = ? AND delivered_at IS NULL
            """,
            [
                .integer(Int64(row.webhook.attempts)), Value(row.webhook.dueAt?.milliseconds),
                Value(row.webhook.deliveredAt?.milliseconds), Value(row.webhook.deliveredAt != nil),
                .text(row.key.purchaseId.rawValue), .text(row.key.changeId),
            ]
        )
        guard changed == 1 else { throw .corrupt("a webhook that is delivered was to change") }
    }

    /// The messages that are due, longest first.
    func due(
        now: Timestamp,
        limit: Int
    ) throws(StoreError) -> [(key: WebhookRow.Key, bundleId: BundleID, body: String)] {
        try connection.rows(
            """
            SELECT purchase_id, change_id, bundle_id, body FROM webhook WHERE due_at <= ?
            ORDER BY due_at LIMIT ?
            """,
            [.integer(now.milliseconds), .integer(Int64(limit))]
        ).map { row throws(StoreError) in
            let purchase = PurchaseID(unchecked: try row.text(0))
            let key = WebhookRow.Key(purchaseId: purchase, changeId: try row.text(1))
            return (key, BundleID(unchecked: try row.text(2)), try row.text(3))
        }
    }

    /// When the next message is due that is not due yet.
    func nextDue(after now: Timestamp) throws(StoreError) -> Timestamp? {
        let row = try connection.row(
            "SELECT MIN(due_at) FROM webhook WHERE due_at > ?",
            [.integer(now.milliseconds)]
        )
        return try row?.optionalInteger(0).map(Timestamp.init(milliseconds:))
    }

    /// How many messages are not delivered, since when the oldest is not, and how many failed too often.
    func undelivered() throws(StoreError) -> (count: Int, oldest: Timestamp?, alarmed: Int) {
        let row = try connection.row(
            """
            SELECT COUNT(*), MIN(created_at), COALESCE(SUM(CASE WHEN attempts >= ? THEN 1 ELSE 0 END), 0)
            FROM webhook WHERE delivered_at IS NULL
            """,
            [.integer(Int64(Webhook.alarmAttempts))]
        )
        let oldest = try row?.optionalInteger(1).map(Timestamp.init(milliseconds:))
        return (try row?.int(0) ?? 0, oldest, try row?.int(2) ?? 0)
    }
}

extension WebhookRow {
    fileprivate init(_ row: Row) throws(StoreError) {
        key = Key(purchaseId: PurchaseID(unchecked: try row.text(0)), changeId: try row.text(1))
        bundleId = BundleID(unchecked: try row.text(2))
        buyerId = BuyerID(unchecked: try row.text(3))
        sequence = try row.integer(4)
        let state: Webhook.State =
            switch (try row.optionalInteger(6), try row.optionalInteger(7)) {
            case (_, let delivered?): .delivered(Timestamp(milliseconds: delivered))
            case (let due?, nil): .due(Timestamp(milliseconds: due))
            case (nil, nil): .queued
            }
        webhook = Webhook(state: state, attempts: try row.int(5))
    }
}
