import Contracts
import Database
import Delivery

struct TraceStore {
    /// The moment at which an app's own server took a message; no contract, as it is sent over HTTP.
    static let deliveredType = "counterfoil.webhook.delivered"

    let connection: any Connection

    func add(_ identifier: String, to trace: inout Trace) throws(StoreError) {
        if let receipt = ReceiptID(rawValue: identifier) {
            try addReceipt(receipt, to: &trace)
        } else {
            try addWebhooks(identifier, to: &trace)
        }
        if EventSearch.mayFind(identifier) { trace.related.formUnion(try subjects(naming: identifier)) }
    }

    /// The receipts, and the newest purchases, whose rows an event or its effect has changed.
    ///
    /// Receipts have no order of time, so a search of very many does not cover all.
    private func subjects(naming event: String) throws(StoreError) -> Set<String> {
        var subjects: Set<String> = []
        for (subject, rows) in [
            ("receipt_id", "receipt"), ("receipt_id", "verdict"),
            ("purchase_id", "webhook ORDER BY purchase_id DESC, change_id DESC"),
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

    func entry(of receipt: ReceiptID, _ verdict: TransactionVerdict) throws(StoreError) -> Trace.Entry? {
        try connection.row(
            """
            SELECT changed_at, event_id, causation_id, event_type FROM verdict WHERE receipt_id = \(receipt)
              AND environment = \(verdict.environment) AND transaction_id = \(verdict.transactionId)
            """,
            Self.verdictEntry
        )
    }

    private static func verdictEntry(_ row: Row) throws(StoreError) -> Trace.Entry {
        try Trace.Entry(row, type: row["event_type"], time: "changed_at")
    }

    private func addReceipt(_ receipt: ReceiptID, to trace: inout Trace) throws(StoreError) {
        trace.entries += try connection.rows(
            "SELECT changed_at, event_id, causation_id FROM receipt WHERE receipt_id = \(receipt)"
        ) { row throws(StoreError) in
            try Trace.Entry(row, type: ReceiptAcceptedV1.type.rawValue, time: "changed_at")
        }
        let verdicts = try connection.rows(
            """
            SELECT changed_at, event_id, causation_id, event_type, transaction_id, order_id FROM verdict
            WHERE receipt_id = \(receipt) ORDER BY changed_at
            """
        )
        for row in verdicts {
            let entry = try Self.verdictEntry(row)
            if !trace.entries.contains(entry) { trace.entries.append(entry) }
            trace.related.insert(try row["transaction_id"])
            if let order: String = try row["order_id"] { trace.related.insert(order) }
        }
        if !trace.entries.isEmpty { trace.related.insert(receipt.rawValue) }
    }

    private func addWebhooks(_ purchaseId: String, to trace: inout Trace) throws(StoreError) {
        let rows = try connection.rows(
            """
            SELECT created_at, event_id, causation_id, delivered_at FROM webhook WHERE purchase_id = \(purchaseId)
            ORDER BY created_at
            """
        )
        for row in rows {
            let change = try Trace.Entry(row, type: EntitlementChangedV1.type.rawValue, time: "created_at")
            if !trace.entries.contains(change) { trace.entries.append(change) }
            if let time: Timestamp = try row["delivered_at"] {
                trace.entries.append(
                    Trace.Entry(time: time, type: Self.deliveredType, id: change.id, causationid: change.id)
                )
            }
        }
        if !rows.isEmpty { trace.related.insert(purchaseId) }
    }
}
