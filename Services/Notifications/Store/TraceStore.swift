import Contracts
import Database
import Delivery

/// What the operator's `trace` finds here.
struct TraceStore {
    /// Names the moment at which an app's own server took a message; no contract, as it is said over HTTP.
    static let deliveredType = "counterfoil.webhook.delivered"

    let connection: any Connection

    /// Adds everything known under one id: of a receipt, of a purchase, or of an event.
    func add(_ identifier: String, to trace: inout Trace) throws(StoreError) {
        if let receipt = ReceiptID(rawValue: identifier) {
            try addReceipt(receipt, to: &trace)
        } else {
            try addWebhooks(identifier, to: &trace)
        }
        if EventSearch.mayFind(identifier) { trace.related.formUnion(try stories(naming: identifier)) }
    }

    /// The receipts, and those of the newest purchases, whose rows an event or its effect has changed.
    ///
    /// Receipts stand in no order of time, so that of very many not all are looked through.
    private func stories(naming event: String) throws(StoreError) -> Set<String> {
        var stories: Set<String> = []
        for (story, rows) in [
            ("receipt_id", "receipt"), ("receipt_id", "verdict"),
            ("purchase_id", "webhook ORDER BY purchase_id DESC, change_id DESC"),
        ] {
            let found = try connection.rows(
                """
                SELECT \(story) FROM (SELECT \(story), event_id, causation_id FROM \(rows) LIMIT ?) AS newest
                WHERE ? IN (event_id, causation_id)
                """,
                [.integer(EventSearch.maximumRows), .text(event)]
            )
            for row in found { stories.insert(try row.text(0)) }
        }
        return stories
    }

    /// The message that brought one transaction of a receipt to its verdict.
    func step(of receipt: ReceiptID, _ verdict: TransactionVerdict) throws(StoreError) -> Trace.Entry? {
        let row = try connection.row(
            """
            SELECT changed_at, event_id, causation_id, event_type FROM verdict
            WHERE receipt_id = ? AND environment = ? AND transaction_id = ?
            """,
            [
                .text(receipt.rawValue), .text(verdict.environment.rawValue),
                .text(verdict.transactionId.rawValue),
            ]
        )
        return try row.map { row throws(StoreError) in try Trace.Entry(row, type: try row.text(3)) }
    }

    private func addReceipt(_ receipt: ReceiptID, to trace: inout Trace) throws(StoreError) {
        let accepted = try connection.rows(
            "SELECT changed_at, event_id, causation_id FROM receipt WHERE receipt_id = ?",
            [.text(receipt.rawValue)]
        )
        for row in accepted {
            trace.entries.append(try Trace.Entry(row, type: ReceiptAcceptedV1.type.rawValue))
        }
        let verdicts = try connection.rows(
            """
            SELECT changed_at, event_id, causation_id, event_type, transaction_id, order_id FROM verdict
            WHERE receipt_id = ? ORDER BY changed_at
            """,
            [.text(receipt.rawValue)]
        )
        for row in verdicts {
            let entry = try Trace.Entry(row, type: try row.text(3))
            if !trace.entries.contains(entry) { trace.entries.append(entry) }
            trace.related.insert(try row.text(4))
            if let order = try row.optionalText(5) { trace.related.insert(order) }
        }
        if !trace.entries.isEmpty { trace.related.insert(receipt.rawValue) }
    }

    private func addWebhooks(_ purchaseId: String, to trace: inout Trace) throws(StoreError) {
        let rows = try connection.rows(
            """
            SELECT created_at, event_id, causation_id, delivered_at FROM webhook WHERE purchase_id = ?
            ORDER BY created_at
            """,
            [.text(purchaseId)]
        )
        for row in rows {
            let told = try Trace.Entry(row, type: EntitlementChangedV1.type.rawValue)
            if !trace.entries.contains(told) { trace.entries.append(told) }
            guard let delivered = try row.optionalInteger(3) else { continue }
            let time = Timestamp(milliseconds: delivered)
            trace.entries.append(
                Trace.Entry(time: time, type: Self.deliveredType, id: told.id, causationid: told.id)
            )
        }
        if !rows.isEmpty { trace.related.insert(purchaseId) }
    }
}

extension Trace.Entry {
    /// The message that brought a row to what it says.
    init(_ origin: Origin) {
        self.init(
            time: origin.time,
            type: origin.type.rawValue,
            id: origin.id.rawValue,
            causationid: origin.causationID?.rawValue
        )
    }

    fileprivate init(_ row: Row, type: String) throws(StoreError) {
        self.init(
            time: Timestamp(milliseconds: try row.integer(0)),
            type: type,
            id: try row.text(1),
            causationid: try row.optionalText(2)
        )
    }
}
