import Contracts
import Database
import Delivery
import Domain

/// The unpaid orders to be looked up or closed as expired, and the transactions by which Apple knows their buyers.
struct PaymentLookupStore {
    /// Whose orders are looked up together: Apple is asked for one account of one app in one environment.
    struct Buyer: Hashable {
        let bundleID: BundleID
        let buyerID: BuyerID
        let environment: Environment

        fileprivate var condition: SQL {
            "buyer_id = \(buyerID) AND bundle_id = \(bundleID) AND environment = \(environment)"
        }
    }

    /// Most orders of one buyer per lookup; the others follow right after it.
    static let maximumOrders = 1_000

    let connection: any Connection

    /// An unpaid order of which something is due.
    struct DueOrder: Equatable {
        let id: OrderID
        let schedule: PaymentLookupSchedule
        let wait: OrderExpiry.Wait
    }

    /// The orders of which something is due, longest due first.
    func due(_ times: DueTimes, limit: Int) throws(StoreError) -> [OrderID] {
        try times.rows(by: "lookup_at", limit: limit) { range throws(StoreError) in
            try connection.rows("SELECT order_id FROM orders WHERE \(range)") { row throws(StoreError) in
                try row["order_id"]
            }
        }
    }

    /// When something is due next.
    func next(_ times: DueTimes) throws(StoreError) -> Timestamp? {
        try connection.value("SELECT MIN(lookup_at) FROM orders WHERE \(times.later(than: "lookup_at"))")
    }

    /// The order's buyer; nil when it is paid or not due.
    func buyer(of order: OrderID, _ times: DueTimes) throws(StoreError) -> Buyer? {
        try connection.row(
            """
            SELECT bundle_id, buyer_id, environment FROM orders
            WHERE order_id = \(order) AND \(times.condition(on: "lookup_at"))
            """
        ) { row throws(StoreError) in
            Buyer(
                bundleID: try row["bundle_id"],
                buyerID: try row["buyer_id"],
                environment: try row["environment"]
            )
        }
    }

    /// The buyer's orders of which something is due or will be within minutes, longest due first.
    func orders(of buyer: Buyer, _ times: DueTimes) throws(StoreError) -> [DueOrder] {
        let soon = times.including(next: PaymentLookupSchedule.coalescingMilliseconds)
        return try connection.rows(
            """
            SELECT order_id, issued_at, lookups, payment, reported_at FROM orders
            WHERE \(buyer.condition) AND \(raw: OrderStore.isAwaited) AND \(soon.condition(on: "lookup_at"))
            ORDER BY lookup_at LIMIT \(Self.maximumOrders)
            """
        ) { row throws(StoreError) in
            let schedule = PaymentLookupSchedule(
                storedIssue: try row["issued_at"],
                lookups: try row["lookups"],
                now: times.now
            )
            let wait = try Self.wait(row, now: times.now)
            return DueOrder(id: try row["order_id"], schedule: schedule, wait: wait)
        }
    }

    /// What an unpaid order waits for; a report that lies ahead was dated by a wrong clock, and counts as one of now.
    private static func wait(_ row: Row, now: Timestamp) throws(StoreError) -> OrderExpiry.Wait {
        switch try row["payment"] as String {
        case "issued": .issued
        case "deferred": .deferred(since: min(try row["reported_at"], now))
        case _: .closed
        }
    }

    /// What Receipts is asked: Apple names an account by any of its transactions, so nil while the buyer has paid
    /// nothing.
    func question(about buyer: Buyer, now: Timestamp) throws(StoreError) -> PaymentLookupV1? {
        try connection.row(
            """
            SELECT paid.transaction_id, unpaid.since, unpaid.last FROM (
              SELECT transaction_id FROM orders WHERE \(buyer.condition) AND payment = 'paid'
              ORDER BY order_id DESC LIMIT 1
            ) AS paid, (
              SELECT MIN(issued_at) AS since, MAX(issued_at) AS last FROM orders
              WHERE \(buyer.condition) AND \(raw: OrderStore.isAwaited) AND lookup_at IS NOT NULL
                AND lookups < \(PaymentLookupSchedule.ages.count)
            ) AS unpaid WHERE unpaid.since IS NOT NULL
            """
        ) { row throws(StoreError) in
            let last = PaymentLookupSchedule.start(storedIssue: try row["last"], now: now)
            return PaymentLookupV1(
                bundleId: buyer.bundleID,
                buyerId: buyer.buyerID,
                environment: buyer.environment,
                transactionId: try row["transaction_id"],
                since: min(try row["since"], last)
            )
        }
    }

    /// Closes an order as expired.
    func expire(_ order: OrderID, at now: Timestamp) throws(StoreError) {
        try OrderStore(connection: connection).changeOne(
            """
            UPDATE orders SET payment = 'closed', close_reason = \(OrderCloseReason.expired), closed_at = \(now),
              lookup_at = NULL
            WHERE order_id = \(order) AND \(raw: OrderStore.isUnpaid) AND lookup_at IS NOT NULL
            """
        )
    }

    /// Records that an order was looked up, and when its next step is due.
    ///
    /// - Throws: `StoreError.corrupt` when its stored schedule has changed.
    func moveOn(
        _ order: OrderID,
        from before: PaymentLookupSchedule,
        to after: PaymentLookupSchedule,
        dueAt: Timestamp?
    ) throws(StoreError) {
        try OrderStore(connection: connection).changeOne(
            """
            UPDATE orders SET lookup_at = \(dueAt), lookups = \(after.lookups)
            WHERE order_id = \(order) AND lookup_at IS NOT NULL AND lookups = \(before.lookups)
            """
        )
    }
}
