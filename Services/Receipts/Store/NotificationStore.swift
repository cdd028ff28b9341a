import Contracts
import Database
import ReceiptsCore

struct NotificationRecord: Equatable {
    var identifier: String
    let signedPayload: String
    let requestID: EventID
}

extension NotificationRecord {
    init(_ notification: NotificationRecoveredV1, request: EventID) {
        self.init(
            identifier: notification.identifier,
            signedPayload: notification.signedPayload,
            requestID: request
        )
    }
}

struct NotificationStore {
    let connection: any Connection

    func state(of identifier: String) throws(StoreError) -> NotificationAssessment.State? {
        let row = try connection.row(
            "SELECT state FROM notification WHERE notification_uuid = ?",
            [.text(identifier)]
        )
        guard let text = try row?.text(0) else { return nil }
        guard let state = NotificationAssessment.State(rawValue: text) else {
            throw .corrupt("notification.state")
        }
        return state
    }

    func countDelivery(of identifier: String) throws(StoreError) {
        try connection.execute(
            "UPDATE notification SET deliveries = deliveries + 1 WHERE notification_uuid = ?",
            [.text(identifier)]
        )
    }

    /// Stores a notification and its assessment; only the assessment of a stored one changes.
    func save(
        _ record: NotificationRecord,
        _ notification: ServerNotification?,
        _ assessment: NotificationAssessment,
        now: Timestamp
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO notification
              (notification_uuid, type, subtype, kind, bundle_id, environment, transaction_id,
               original_transaction_id, signed_date, state, reason, signed_payload, deliveries, request_id,
               delivered_at, judged_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)
            ON CONFLICT (notification_uuid) DO UPDATE SET
              type = excluded.type, subtype = excluded.subtype, kind = excluded.kind,
              bundle_id = excluded.bundle_id, environment = excluded.environment,
              transaction_id = excluded.transaction_id,
              original_transaction_id = excluded.original_transaction_id, signed_date = excluded.signed_date,
              state = excluded.state, reason = excluded.reason, signed_payload = excluded.signed_payload,
              judged_at = excluded.judged_at
            """,
            [
                .text(record.identifier), Value(notification?.type), Value(notification?.subtype),
                Value(notification?.kind.rawValue),
                Value(notification?.bundleId), Value(notification?.environment?.rawValue),
                Value(notification?.transaction?.transactionId),
                Value(notification?.transaction?.originalTransactionId),
                Value(notification?.signedDate.milliseconds), .text(assessment.state.rawValue),
                Value(assessment.reason),
                .blob([UInt8](record.signedPayload.utf8)), .text(record.requestID.rawValue),
                .integer(now.milliseconds),
                .integer(now.milliseconds),
            ]
        )
    }

    func status(of identifier: String) throws(StoreError) -> RetryPage.ItemStatus {
        let sql = "SELECT state, reason FROM notification WHERE notification_uuid = ?"
        guard let row = try connection.row(sql, [.text(identifier)]) else {
            throw .corrupt("the notification \(identifier) is gone")
        }
        return RetryPage.ItemStatus(try row.text(0), reason: try row.optionalText(1))
    }

    func page(
        _ state: NotificationAssessment.State,
        after identifier: String,
        limit: Int
    ) throws(StoreError) -> [NotificationRecord] {
        // Literals, so that SQLite uses the state's index.
        let rows = try connection.rows(
            """
            SELECT notification_uuid, signed_payload, request_id FROM notification
            WHERE state = '\(state.rawValue)' AND notification_uuid > ? ORDER BY notification_uuid LIMIT ?
            """,
            [.text(identifier), Value(limit)]
        )
        return try rows.map { row throws(StoreError) in
            NotificationRecord(
                identifier: try row.text(0),
                signedPayload: String(decoding: try row.blob(1), as: UTF8.self),
                requestID: EventID(unchecked: try row.text(2))
            )
        }
    }

    // MARK: Metrics

    func counts() throws(StoreError) -> (parked: Int, unknown: Int) {
        let row = try connection.row(
            """
            SELECT (SELECT COUNT(*) FROM notification WHERE state = 'parked'),
              (SELECT COUNT(*) FROM notification WHERE kind = 'unknown')
            """
        )
        return (try row?.int(0) ?? 0, try row?.int(1) ?? 0)
    }

    func deliveries(about id: TransactionID) throws(StoreError) -> [(id: String, time: Timestamp)] {
        let rows = try connection.rows(
            "SELECT request_id, delivered_at FROM notification WHERE transaction_id = ?",
            [.text(id.rawValue)]
        )
        return try rows.map { row throws(StoreError) in
            (try row.text(0), Timestamp(milliseconds: try row.integer(1)))
        }
    }
}
