import Contracts
import Database
import Delivery

/// What the rows of orders and tokens say of the messages that changed them.
struct OrdersTrace {
    /// The messages that a row names, each by the columns of its time, its id and its cause.
    private static let messages: [(type: EventType, time: String, event: String, cause: String?)] = [
        (OrderIssueV1.type, "issued_at", "issue_event", nil),
        (OrderCloseV1.type, "closed_at", "close_event", nil),
        (OrderReportV1.type, "reported_at", "report_event", nil),
        (ClaimProposedV1.type, "paid_at", "claim_event", "claim_cause"),
        (TransactionUpdatedV1.type, "updated_at", "update_event", "update_cause"),
        (GrantRecordedV1.type, "recorded_at", "record_event", "record_cause"),
    ]

    /// Those of them that lead to no payment.
    private static let unpaid = Set(
        [OrderIssueV1.type, OrderCloseV1.type, OrderReportV1.type].map(\.rawValue)
    )

    let connection: any Connection

    /// The trace of an id: of an order, a purchase, a reference, a token or an event.
    func read(_ identifiers: Set<String>) throws(StoreError) -> Trace {
        var trace = Trace()
        for identifier in identifiers.sorted() {
            for row in try rows(identifier) where trace.related.insert(try row["order_id"]).inserted {
                let names: [String?] = [
                    try row["purchase_id"], try row["transaction_id"], try row["released_purchase_id"],
                ]
                trace.related.formUnion(names.compactMap(\.self))
                trace.entries += try entries(row)
                trace.entries += try StepLogStore(connection: connection).entries(of: row["order_id"])
            }
            trace.entries += try registrations(identifier)
        }
        trace.entries.sort { ($0.time, $0.type, $0.id) < ($1.time, $1.type, $1.id) }
        return trace
    }

    /// The last message of a type that the row of an order names.
    func last(_ type: EventType, of order: OrderID) throws(StoreError) -> Trace.Entry? {
        let row = try select("order_id = \(order)").first
        return try row.flatMap(entries)?.last { $0.type == type.rawValue }
    }

    /// The messages of a payment that the row of an order names.
    func payment(of order: OrderID) throws(StoreError) -> [Trace.Entry] {
        guard let row = try select("order_id = \(order)").first else { return [] }
        return try entries(row).filter { !Self.unpaid.contains($0.type) }
    }

    private func rows(_ identifier: String) throws(StoreError) -> [Row] {
        var rows = try select("purchase_id = \(identifier)") + select("reference = \(identifier)")
        rows += try select("released_purchase_id = \(identifier)")
        if let id = OrderID(rawValue: identifier) { rows += try select("order_id = \(id)") }
        if EventSearch.mayFind(identifier) { rows += try newest(naming: identifier) }
        return rows
    }

    private func select(_ condition: SQL) throws(StoreError) -> [Row] {
        try connection.rows("SELECT * FROM orders WHERE \(condition)")
    }

    private func newest(naming event: String) throws(StoreError) -> [Row] {
        let columns = Self.messages.flatMap { [$0.event] + ($0.cause.map { [$0] } ?? []) }
        return try connection.rows(
            """
            SELECT * FROM (SELECT * FROM orders ORDER BY order_id DESC LIMIT \(EventSearch.maximumRows)) AS newest
            WHERE \(event) IN (\(raw: columns.joined(separator: ", ")))
            """
        )
    }

    private func entries(_ row: Row) throws(StoreError) -> [Trace.Entry] {
        let claim = Self.claim(attempt: try row["attempt"])
        var entries: [Trace.Entry] = []
        for (type, time, event, cause) in Self.messages {
            let named: (Timestamp?, String?) = (try row[time], try row[event])
            guard named.0 != nil, named.1 != nil else { continue }
            let type = type == ClaimProposedV1.type ? claim : type
            entries.append(try Trace.Entry(row, type: type.rawValue, time: time, event: event, cause: cause))
        }
        return entries
    }

    /// The message that has paid an order: without an attempt, an update.
    private static func claim(attempt: Int?) -> EventType {
        guard let attempt else { return TransactionUpdatedV1.type }
        return attempt == PaymentStore.attemptOfMove ? ClaimMovedV1.type : ClaimProposedV1.type
    }

    private func registrations(_ identifier: String) throws(StoreError) -> [Trace.Entry] {
        guard let token = AccountToken(rawValue: identifier) else { return [] }
        return try connection.rows("SELECT * FROM token_owner WHERE token = \(token)") {
            row throws(StoreError) in
            try Trace.Entry(
                row,
                type: TokenRegisterV1.type.rawValue,
                time: "registered_at",
                event: "register_event",
                cause: nil
            )
        }
    }
}
