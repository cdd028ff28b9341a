import Contracts
import Database
import Delivery

/// The orders of which something is awaited, by their ids, which sort by time.
///
/// A page reads its own rows alone, however many orders wait: the partition's thread serves purchases, too.
struct OpenOrders {
    let connection: any Connection

    /// A page, the oldest first.
    func page(_ request: DeskListV1) throws(StoreError) -> DeskPage {
        let ids = try connection.rows(Self.query(request)) { row throws(StoreError) -> OrderID in
            try row["order_id"]
        }
        var rows: [DeskPage.Row] = []
        for id in ids.prefix(request.limit) {
            let row = try connection.row("SELECT * FROM orders WHERE order_id = \(id)")
            if let row { rows.append(try Self.row(row)) }
        }
        return DeskPage(rows: rows, hasMore: ids.count > request.limit)
    }

    static func query(_ request: DeskListV1) -> SQL {
        let first = request.after?.key ?? ""
        let end =
            request.before.map { OrderID(time: $0, shard: Shard(rawValue: 0), random: 0).rawValue } ?? "~"
        return """
            SELECT order_id FROM orders INDEXED BY orders_waiting
            WHERE \(raw: OrderStore.isWaitedFor) AND order_id > \(first) AND order_id < \(end)
            ORDER BY order_id LIMIT \(request.limit + 1)
            """
    }

    private static func row(_ row: Row) throws(StoreError) -> DeskPage.Row {
        let (payment, order): (String, OrderID) = (try row["payment"], try row["order_id"])
        let isPaid = payment == "paid"
        let fulfilment: String = try row["fulfilment"]
        var entry = DeskPage.Row(
            kind: !isPaid ? .unpaid : fulfilment == "parked" ? .parkedGrant : .ungranted,
            place: DeskPage.Place(since: try row["issued_at"], key: order.rawValue),
            bundleId: try row["bundle_id"]
        )
        entry.environment = try row["environment"]
        (entry.orderId, entry.buyerId) = (order, try row["buyer_id"])
        (entry.purchaseId, entry.productId) = (try row["purchase_id"], try row["product_id"])
        let error: String? = try row["error_code"]
        entry.reason = isPaid ? fulfilment : error ?? payment
        entry.next = try row["lookup_at"]
        if let text: String = try row["facts"] {
            let facts: TransactionFacts = try JSONColumn.value(of: text)
            (entry.price, entry.currency) = (facts.price, facts.currency)
        }
        return entry
    }
}
