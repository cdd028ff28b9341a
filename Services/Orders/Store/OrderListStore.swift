import Contracts
import Database
import Delivery

/// A buyer's orders by their states.
struct OrderListStore {
    let connection: any Connection

    /// The orders of a page and one more, if there is another page.
    func orders(of page: OrderPage) throws(StoreError) -> [Order] {
        let request = page.request
        var condition: SQL = """
            buyer_id = \(request.buyerId) AND bundle_id = \(request.bundleId)
              AND environment = \(request.environment)
            """
        if let after = request.after { condition = "\(condition) AND order_id < \(after)" }
        if let product = request.productId { condition = "\(condition) AND product_id = \(product)" }
        if let states = request.states { condition = "\(condition) AND \(raw: Self.condition(states))" }
        return try connection.rows(
            """
            SELECT \(raw: Order.columns) FROM orders WHERE \(condition)
            ORDER BY order_id DESC LIMIT \(page.rows)
            """,
            Order.init
        )
    }

    /// The buyer's newest open order of a product, paid or not.
    func newestOpen(
        of buyer: BuyerID,
        in bundle: BundleID,
        _ content: OrderContent
    ) throws(StoreError) -> Order? {
        try connection.row(
            """
            SELECT \(raw: Order.columns) FROM orders
            WHERE buyer_id = \(buyer) AND bundle_id = \(bundle) AND environment = \(content.environment)
              AND product_id = \(content.productID)
              AND \(raw: Self.condition(OrderV1.State.allCases.filter(OrderV1.State.open.contains)))
            ORDER BY order_id DESC LIMIT 1
            """,
            Order.init
        )
    }

    /// How many units of a product the buyer has paid for and not got the money back; the payments' quantities count.
    func paidUnits(of buyer: BuyerID, in bundle: BundleID, _ content: OrderContent) throws(StoreError) -> Int
    {
        let payments: [TransactionFacts] = try connection.rows(
            """
            SELECT facts FROM orders
            WHERE buyer_id = \(buyer) AND bundle_id = \(bundle) AND environment = \(content.environment)
              AND product_id = \(content.productID) AND payment = 'paid' AND fulfilment <> 'reversed'
            """
        ) { row throws(StoreError) in try JSONColumn.value(of: row["facts"]) }
        return payments.reduce(0) { $0 + $1.quantity }
    }

    private static func condition(_ states: [OrderV1.State]) -> String {
        "(" + (states.isEmpty ? "FALSE" : states.map(condition).joined(separator: " OR ")) + ")"
    }

    /// The table of `Order.state`, read backwards.
    private static func condition(_ state: OrderV1.State) -> String {
        switch state {
        case .issued: "payment = 'issued'"
        case .deferred: "payment = 'deferred'"
        case .closed: "payment = 'closed'"
        case .paid: "payment = 'paid' AND fulfilment = 'none'"
        case .granted: "payment = 'paid' AND fulfilment = 'granted'"
        case .refunded: "payment = 'paid' AND fulfilment = 'reversed'"
        case .parked: "payment = 'paid' AND fulfilment = 'parked'"
        }
    }
}
