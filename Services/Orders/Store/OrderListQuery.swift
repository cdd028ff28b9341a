import Contracts
import Database

/// The queries for a buyer's orders.
///
/// | query           | reads                                                | by index                               |
/// |-----------------|------------------------------------------------------|----------------------------------------|
/// | orders, open    | what is awaited of the buyer's orders                | `orders_open`, `orders_paid_ungranted` |
/// | orders, others  | `OrderPage.examined` orders                          | `orders_by_buyer`                      |
/// | newestOpen      | what is awaited of the buyer's orders of the product | `orders_open`, `orders_paid_ungranted` |
/// | unpaidOrders    | `mostAwaited` orders of which something is awaited   | `orders_open`                          |
/// | limitedPayments | so many of the product as one buyer may pay for      | `orders_limited`                       |
/// | otherPayments   | `OrderPage.examined` orders                          | `orders_by_buyer`                      |
enum OrderListQuery {
    /// Whose orders are meant, and perhaps of which product.
    static func place(
        _ buyer: BuyerID,
        _ bundle: BundleID,
        _ environment: Environment,
        _ product: ProductID?
    ) -> SQL {
        let place: SQL = "buyer_id = \(buyer) AND bundle_id = \(bundle) AND environment = \(environment)"
        guard let product else { return place }
        return "\(place) AND product_id = \(product)"
    }

    /// The orders of a page; but for open ones none before `last`, which is nil if all may be read.
    static func orders(of page: OrderPage, downTo last: OrderID?) -> SQL {
        let request = page.request
        let place = place(request.buyerId, request.bundleId, request.environment, request.productId)
        var condition: SQL = page.isOfOpenOrders ? awaited(at: place) : place
        if let after = request.after { condition = "\(condition) AND order_id < \(after)" }
        if let last { condition = "\(condition) AND order_id >= \(last)" }
        if let states = request.states { condition = "\(condition) AND \(raw: Self.condition(states))" }
        return newest("\(condition) AND \(raw: Self.condition(page.origins))", limit: page.rows)
    }

    static func newestOpen(at place: SQL) -> SQL {
        let states = OrderV1.State.allCases.filter(OrderV1.State.open.contains)
        let isOpen: SQL = "\(raw: condition(states)) AND \(raw: condition(OrderV1.Origin.listed))"
        return newest("\(awaited(at: place)) AND \(isOpen)", limit: 1)
    }

    /// How many orders of a buyer wait for their payment.
    ///
    /// A phone can issue and close orders without end, and each is looked up for days: those are read up to a limit,
    /// which is then the count.
    static func unpaidOrders(of buyer: BuyerID, in bundle: BundleID) -> SQL {
        """
        SELECT CASE WHEN count(*) < \(mostAwaited) THEN count(*) FILTER (WHERE \(raw: OrderStore.isUnpaid))
          ELSE \(mostAwaited) END
        FROM (
          SELECT payment FROM orders INDEXED BY orders_open WHERE buyer_id = \(buyer) AND bundle_id = \(bundle)
            AND \(raw: OrderStore.isAwaited) LIMIT \(mostAwaited)
        )
        """
    }

    /// Most orders that are read to count the unpaid ones.
    static let mostAwaited = 1_000

    /// The payments that the catalog's limit was known to concern, and those without an order.
    static func limitedPayments(at place: SQL, limit: Int) -> SQL {
        """
        SELECT facts FROM orders WHERE \(place) AND \(raw: OrderStore.isLimited) AND \(raw: isPaid)
          AND \(raw: condition(OrderV1.Origin.listed)) LIMIT \(limit)
        """
    }

    /// The payments of orders without a limit; none before `last`, which is nil if all may be read.
    static func otherPayments(at place: SQL, downTo last: OrderID?, limit: Int) -> SQL {
        """
        SELECT facts FROM orders WHERE \(place) AND order_id >= \(last?.rawValue ?? "") AND \(raw: isPaid)
          AND unit_limit IS NULL AND origin = 'phone' LIMIT \(limit)
        """
    }

    /// The last one of as many orders as are examined, newest first.
    static func lastExamined(of buyer: BuyerID, in bundle: BundleID, after: OrderID? = nil) -> SQL {
        var condition: SQL = "buyer_id = \(buyer) AND bundle_id = \(bundle)"
        if let after { condition = "\(condition) AND order_id < \(after)" }
        return """
            SELECT order_id FROM orders WHERE \(condition)
            ORDER BY order_id DESC LIMIT 1 OFFSET \(OrderPage.examined - 1)
            """
    }

    private static func newest(_ condition: SQL, limit: Int) -> SQL {
        "SELECT \(raw: Order.columns) FROM orders WHERE \(condition) ORDER BY order_id DESC LIMIT \(limit)"
    }

    // MARK: Conditions

    private static let isPaid = "payment = 'paid' AND fulfilment <> 'reversed'"

    /// The orders of which something is awaited: the open ones, and closed ones that are still looked up.
    private static func awaited(at place: SQL) -> SQL {
        """
        order_id IN (
          SELECT order_id FROM orders WHERE \(place) AND \(raw: OrderStore.isAwaited)
          UNION ALL SELECT order_id FROM orders WHERE \(place) AND \(raw: OrderStore.isUngranted)
        )
        """
    }

    private static func condition(_ origins: [OrderV1.Origin]) -> String {
        let names = origins.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return origins.isEmpty ? "FALSE" : "origin IN (\(names))"
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
        case .void: "payment = 'void'"
        }
    }
}
