import Contracts
import Database
import Delivery

struct ServerNotificationStore {
    let connection: any Connection

    func state(of identifier: String) throws(StoreError) -> ServerNotificationAssessment.State? {
        try connection.value("SELECT state FROM server_notification WHERE notification_uuid = \(identifier)")
    }

    func countDelivery(of identifier: String) throws(StoreError) {
        try connection.execute(
            "UPDATE server_notification SET deliveries = deliveries + 1 WHERE notification_uuid = \(identifier)"
        )
    }

    /// Stores a notification and its assessment; only the assessment of a stored one changes.
    func save(
        _ record: ServerNotificationRecord,
        _ notification: ServerNotification?,
        _ assessment: ServerNotificationAssessment,
        now: Timestamp
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO server_notification (notification_uuid, type, kind, transaction_id, state, reason,
              signed_payload, deliveries, request_id, delivered_at, judged_at)
            VALUES (\(record.identifier), \(notification?.type), \(notification?.kind),
              \(notification?.transaction?.transactionId), \(assessment.state), \(assessment.reason),
              \([UInt8](record.signedPayload.utf8)), 1, \(record.requestID), \(now), \(now))
            ON CONFLICT (notification_uuid) DO UPDATE SET
              type = excluded.type, kind = excluded.kind, transaction_id = excluded.transaction_id,
              state = excluded.state, reason = excluded.reason, signed_payload = excluded.signed_payload,
              judged_at = excluded.judged_at
            """
        )
    }

    func status(of identifier: String) throws(StoreError) -> RetryPage.ItemStatus {
        try connection.status(
            "SELECT state, reason FROM server_notification WHERE notification_uuid = \(identifier)",
            of: "the notification \(identifier)"
        )
    }

    /// A page of those in a state; Notifications is told of those that were taken and are about no transaction.
    func page(
        _ state: ServerNotificationAssessment.State,
        isUntransacted: Bool = false,
        after identifier: String,
        limit: Int
    ) throws(StoreError) -> [ServerNotificationRecord] {
        let untransacted: SQL = isUntransacted ? " AND transaction_id IS NULL" : ""
        // A literal state, so that SQLite uses the state's index.
        return try connection.rows(
            """
            SELECT notification_uuid, signed_payload, request_id FROM server_notification
            WHERE state = '\(raw: state.rawValue)'\(untransacted) AND notification_uuid > \(identifier)
            ORDER BY notification_uuid LIMIT \(limit)
            """
        ) { row throws(StoreError) in
            ServerNotificationRecord(
                identifier: try row["notification_uuid"],
                signedPayload: String(decoding: try row["signed_payload"] as [UInt8], as: UTF8.self),
                requestID: try row["request_id"]
            )
        }
    }

    func deliveries(about id: PurchaseID) throws(StoreError) -> [Trace.Entry] {
        try connection.rows(
            "SELECT request_id, delivered_at FROM server_notification WHERE transaction_id = \(id)"
        ) { row throws(StoreError) in
            Trace.Entry(
                time: try row["delivered_at"],
                type: ServerNotificationDeliverV1.type.rawValue,
                id: try row["request_id"]
            )
        }
    }

    // MARK: Metrics

    func parkedCount() throws(StoreError) -> Int {
        try connection.value("SELECT COUNT(*) FROM server_notification WHERE state = 'parked'") ?? 0
    }

    func count(_ kind: ServerNotificationKind) throws(StoreError) -> Int {
        // A literal kind, so that SQLite uses the kind's index.
        let counted: SQL = "kind = '\(raw: kind.rawValue)'"
        return try connection.value("SELECT COUNT(*) FROM server_notification WHERE \(counted)") ?? 0
    }
}
