import Contracts
import Database
import Delivery
import OrdersCore

/// The story of an order as its row tells it.
struct OrderTrace {
    private static let columns = """
        order_id, transaction_id, attempt, issued_at, issue_event, closed_at, close_event, \
        paid_at, claim_event, claim_cause, restated_at, restate_event, restate_cause, \
        settled_at, settle_event, settle_cause, purchase_id
        """

    let connection: any Connection

    /// What the orders know that an id names: as order, as purchase, as reference, as token or as event.
    ///
    /// - Throws: `StoreError`.
    func read(_ identifiers: Set<String>) throws(StoreError) -> Trace {
        var trace = Trace()
        var seen: Set<String> = []
        for identifier in identifiers.sorted() {
            for row in try rows(identifier) where seen.insert(try row.text(0)).inserted {
                try add(row, to: &trace)
            }
            try addToken(identifier, to: &trace)
        }
        trace.entries.sort { ($0.time, $0.type, $0.id) < ($1.time, $1.type, $1.id) }
        return trace
    }

    private func rows(_ identifier: String) throws(StoreError) -> [Row] {
        var rows: [Row] = []
        if let id = OrderID(rawValue: identifier) { rows += try select("order_id", id.rawValue) }
        rows += try select("purchase_id", identifier)
        rows += try select("reference", identifier)
        if EventSearch.mayFind(identifier) { rows += try newest(naming: identifier) }
        return rows
    }

    /// Those of the newest orders that an event, or its effect, has changed.
    private func newest(naming event: String) throws(StoreError) -> [Row] {
        try connection.rows(
            """
            SELECT \(Self.columns) FROM (SELECT \(Self.columns) FROM orders ORDER BY order_id DESC LIMIT ?) AS newest \
            WHERE ? IN (issue_event, close_event, claim_event, claim_cause, restate_event, restate_cause, \
            settle_event, settle_cause)
            """,
            [.integer(EventSearch.maximumRows), .text(event)]
        )
    }

    /// The step with which the ledger's outcome was followed last.
    ///
    /// - Throws: `StoreError`.
    func settlement(of order: OrderID) throws(StoreError) -> Trace.Entry? {
        var trace = Trace()
        for row in try select("order_id", order.rawValue) { try addSettlement(row, to: &trace) }
        return trace.entries.first
    }

    private func addSettlement(_ row: Row, to trace: inout Trace) throws(StoreError) {
        try add(row, GrantSettledV1.type, at: 13, event: 14, cause: 15, to: &trace)
    }

    private func select(_ column: String, _ value: String) throws(StoreError) -> [Row] {
        try connection.rows("SELECT \(Self.columns) FROM orders WHERE \(column) = ?", [.text(value)])
    }

    private func add(_ row: Row, to trace: inout Trace) throws(StoreError) {
        trace.related.insert(try row.text(0))
        for column in [1, 16] {
            if let name = try row.optionalText(column) { trace.related.insert(name) }
        }
        let paid = row.has(2) ? ClaimProposedV1.type : TransactionRestatedV1.type
        try add(row, OrderIssueV1.type, at: 3, event: 4, cause: nil, to: &trace)
        try add(row, OrderCloseV1.type, at: 5, event: 6, cause: nil, to: &trace)
        try add(row, paid, at: 7, event: 8, cause: 9, to: &trace)
        try add(row, TransactionRestatedV1.type, at: 10, event: 11, cause: 12, to: &trace)
        try addSettlement(row, to: &trace)
    }

    private func add(
        _ row: Row,
        _ type: EventType,
        at time: Int,
        event: Int,
        cause: Int?,
        to trace: inout Trace
    ) throws(StoreError) {
        guard let time = try row.optionalInteger(time), let event = try row.optionalText(event) else {
            return
        }
        var causation: String?
        if let cause { causation = try row.optionalText(cause) }
        trace.entries.append(
            Trace.Entry(
                time: Timestamp(milliseconds: time),
                type: type.rawValue,
                id: event,
                causationid: causation
            )
        )
    }

    private func addToken(_ identifier: String, to trace: inout Trace) throws(StoreError) {
        guard let token = AccountToken(identifier) else { return }
        let rows = try connection.rows(
            "SELECT registered_at, register_event FROM token_owner WHERE token = ?",
            [.text(token.rawValue)]
        )
        for row in rows {
            let entry = Trace.Entry(
                time: Timestamp(milliseconds: try row.integer(0)),
                type: TokenRegisterV1.type.rawValue,
                id: try row.text(1)
            )
            trace.entries.append(entry)
        }
    }
}
