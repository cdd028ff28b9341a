import Contracts
import Database
import Delivery

struct OrderTrace {
    private static let columns = """
        order_id, purchase_id, transaction_id, attempt, issued_at, issue_event, closed_at, close_event,
          paid_at, claim_event, claim_cause, updated_at, update_event, update_cause,
          settled_at, settle_event, settle_cause
        """

    let connection: any Connection

    /// The trace of an id: of an order, a purchase, a reference, a token or an event.
    func read(_ identifiers: Set<String>) throws(StoreError) -> Trace {
        var trace = Trace()
        for identifier in identifiers.sorted() {
            for row in try rows(identifier) where trace.related.insert(try row["order_id"]).inserted {
                try add(row, to: &trace)
            }
            try addToken(identifier, to: &trace)
        }
        trace.entries.sort { ($0.time, $0.type, $0.id) < ($1.time, $1.type, $1.id) }
        return trace
    }

    private func rows(_ identifier: String) throws(StoreError) -> [Row] {
        var rows: [Row] = []
        if let id = OrderID(rawValue: identifier) { rows += try select("order_id = \(id)") }
        rows += try select("purchase_id = \(identifier)")
        rows += try select("reference = \(identifier)")
        if EventSearch.mayFind(identifier) { rows += try newest(naming: identifier) }
        return rows
    }

    private func select(_ condition: SQL) throws(StoreError) -> [Row] {
        try connection.rows("SELECT \(raw: Self.columns) FROM orders WHERE \(condition)")
    }

    private func newest(naming event: String) throws(StoreError) -> [Row] {
        try connection.rows(
            """
            SELECT \(raw: Self.columns) FROM (
              SELECT \(raw: Self.columns) FROM orders ORDER BY order_id DESC LIMIT \(EventSearch.maximumRows)
            ) AS newest
            WHERE \(event) IN (issue_event, close_event, claim_event, claim_cause, update_event, update_cause,
              settle_event, settle_cause)
            """
        )
    }

    func settlement(of order: OrderID) throws(StoreError) -> Trace.Entry? {
        guard let row = try select("order_id = \(order)").first else { return nil }
        return try settlement(row)
    }

    private func settlement(_ row: Row) throws(StoreError) -> Trace.Entry? {
        try entry(row, GrantSettledV1.type, at: "settled_at", event: "settle_event", cause: "settle_cause")
    }

    private func add(_ row: Row, to trace: inout Trace) throws(StoreError) {
        let names: [String?] = [try row["purchase_id"], try row["transaction_id"]]
        trace.related.formUnion(names.compactMap { $0 })
        let attempt: Int? = try row["attempt"]
        let payer = attempt == nil ? TransactionUpdatedV1.type : ClaimProposedV1.type
        let entries = [
            try entry(row, OrderIssueV1.type, at: "issued_at", event: "issue_event"),
            try entry(row, OrderCloseV1.type, at: "closed_at", event: "close_event"),
            try entry(row, payer, at: "paid_at", event: "claim_event", cause: "claim_cause"),
            try entry(
                row,
                TransactionUpdatedV1.type,
                at: "updated_at",
                event: "update_event",
                cause: "update_cause"
            ),
            try settlement(row),
        ]
        trace.entries += entries.compactMap { $0 }
    }

    private func entry(
        _ row: Row,
        _ type: EventType,
        at time: String,
        event: String,
        cause: String? = nil
    ) throws(StoreError) -> Trace.Entry? {
        try Trace.Entry(ifNoted: row, type: type.rawValue, time: time, event: event, cause: cause)
    }

    private func addToken(_ identifier: String, to trace: inout Trace) throws(StoreError) {
        guard let token = AccountToken(rawValue: identifier) else { return }
        trace.entries += try connection.rows(
            "SELECT registered_at, register_event FROM token_owner WHERE token = \(token)"
        ) { row throws(StoreError) in
            Trace.Entry(
                time: try row["registered_at"],
                type: TokenRegisterV1.type.rawValue,
                id: try row["register_event"]
            )
        }
    }
}
