import Contracts
import Database
import Delivery

/// What the rows of verdicts and webhooks say of the messages that changed them.
struct NotificationsTrace {
    /// The moment at which an app's own server took a message; no contract, as it is sent over HTTP.
    static let deliveredType = "counterfoil.webhook.delivered"

    let connection: any Connection

    func read(_ identifiers: Set<String>) throws(StoreError) -> Trace {
        var trace = Trace()
        for identifier in identifiers.sorted() {
            if let receipt = ReceiptID(rawValue: identifier) {
                try addReceipt(receipt, to: &trace)
            } else {
                try addWebhooks(identifier, to: &trace)
            }
            if EventSearch.mayFind(identifier) { trace.related.formUnion(try subjects(naming: identifier)) }
        }
        return trace
    }

    /// The receipts, and the newest purchases, whose rows an event or its effect has changed.
    ///
    /// Receipts have no order of time, so a search of very many does not cover all.
    private func subjects(naming event: String) throws(StoreError) -> Set<String> {
        var subjects: Set<String> = []
        for (subject, rows) in [
            ("receipt_id", "verdict"), ("about", "webhook ORDER BY about DESC, change_id DESC"),
        ] {
            let found: [String] = try connection.rows(
                """
                SELECT \(raw: subject) AS subject FROM (
                  SELECT \(raw: subject), event_id, causation_id FROM \(raw: rows) LIMIT \(EventSearch.maximumRows)
                ) AS newest
                WHERE \(event) IN (event_id, causation_id)
                """
            ) { row throws(StoreError) in try row["subject"] }
            subjects.formUnion(found)
        }
        return subjects
    }

    private func addReceipt(_ receipt: ReceiptID, to trace: inout Trace) throws(StoreError) {
        let receipts = try connection.rows(
            "SELECT * FROM verdict WHERE receipt_id = \(receipt) AND \(VerdictStore.isOnSubmission)"
        )
        for row in receipts {
            try trace.add(row, ReceiptAcceptedV1.type, at: "changed_at")
        }
        let verdicts = try connection.rows(
            "SELECT * FROM verdict WHERE receipt_id = \(receipt) AND transaction_id <> '' ORDER BY changed_at"
        )
        for row in verdicts {
            try trace.add(row, row["event_type"], at: "changed_at")
            let order: String? = try row["order_id"]
            trace.related.formUnion([try row["transaction_id"], order].compactMap(\.self))
        }
        if !trace.entries.isEmpty { trace.related.insert(receipt.rawValue) }
    }

    private func addWebhooks(_ subject: String, to trace: inout Trace) throws(StoreError) {
        let rows = try connection.rows(
            "SELECT * FROM webhook WHERE about = \(subject) ORDER BY created_at"
        )
        for row in rows {
            try trace.add(row, row["event_type"], at: "created_at")
            guard let time: Timestamp = try row["delivered_at"] else { continue }
            let event: String = try row["event_id"]
            trace.entries.append(
                Trace.Entry(time: time, type: Self.deliveredType, id: event, causationid: event)
            )
        }
        if !rows.isEmpty { trace.related.insert(subject) }
    }
}

extension Trace {
    /// Adds the message that a row names, once.
    fileprivate mutating func add(_ row: Row, _ type: EventType, at time: String) throws(StoreError) {
        let entry = try Entry(row, type: type.rawValue, time: time)
        if !entries.contains(entry) { entries.append(entry) }
    }
}
