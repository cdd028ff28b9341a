import Contracts
import Database
import Delivery
import Domain

/// The orders of a partition.
///
/// Every update names the state from which it leads and must hit its row: otherwise the store contradicts itself, and
/// the transaction is rolled back.
struct OrderStore {
    static let isUnpaid = "payment IN ('issued', 'deferred')"

    // Conditions of indexes, each of which serves only queries that say it in the same words: the schema has them, too.
    // An ordinary order is in the first of them until it is paid, in the second until it is granted, and never in the
    // third.

    /// That of `orders_open`: something is awaited of the order, beside the ledger's answer.
    static let isAwaited =
        "(payment IN ('issued', 'deferred') OR fulfilment = 'parked' OR lookup_at IS NOT NULL)"
    /// That of `orders_paid_ungranted`: the ledger's answer is awaited.
    static let isUngranted = "payment = 'paid' AND fulfilment = 'none'"
    /// That of `orders_waiting`, by age: an order leaves it when it is granted, or closed and not looked up any more.
    static let isWaitedFor = "(\(isAwaited) OR (\(isUngranted)))"
    /// That of `orders_limited`: the order counts against a limit, or was made without any word of the catalog.
    static let isLimited = "(unit_limit IS NOT NULL OR origin IN ('server', 'spot'))"

    let connection: any Connection

    func order(_ id: OrderID) throws(StoreError) -> Order? { try first("order_id = \(id)") }

    /// The order of an app that an id names; nil if a request means one buyer's, and it is another's.
    func order(
        _ id: OrderID,
        in bundle: BundleID,
        of buyer: BuyerID?
    ) throws(StoreError) -> Order? {
        guard let order = try order(id), order.bundleID == bundle else { return nil }
        return buyer == nil || buyer == order.buyerID ? order : nil
    }

    /// The orders with a reference, one a buyer; a page of them at most.
    func orders(reference: String, of bundle: BundleID) throws(StoreError) -> [Order] {
        try connection.rows(
            """
            SELECT \(raw: Order.columns) FROM orders WHERE reference = \(reference) AND bundle_id = \(bundle)
            ORDER BY buyer_id LIMIT \(Limits.ordersOfPage.upperBound)
            """,
            Order.init
        )
    }

    func order(idempotencyKey: String, of buyer: BuyerID, in bundle: BundleID) throws(StoreError) -> Order? {
        try first("buyer_id = \(buyer) AND idempotency_key = \(idempotencyKey) AND bundle_id = \(bundle)")
    }

    /// The order that the transaction's purchase has paid.
    ///
    /// The purchase may have been paid under its first key, of which Receipts knows nothing after a restored backup:
    /// then its transaction leads to the order.
    func order(paidBy transaction: TransactionFacts) throws(StoreError) -> Order? {
        let place: SQL = "bundle_id = \(transaction.bundleId) AND environment = \(transaction.environment)"
        let (purchase, id) = (transaction.purchaseId, transaction.transactionId)
        if let order = try first("purchase_id = \(purchase) AND \(place)") { return order }
        guard PurchaseID(id) == purchase else { return try first("purchase_id = \(id) AND \(place)") }
        guard !transaction.hasOneKey else { return nil }
        return try first("transaction_id = \(id) AND transaction_id <> purchase_id AND \(place)")
    }

    /// The buyer's oldest unpaid order for the product and environment of `transaction`.
    func oldestUnpaid(of buyer: BuyerID, for transaction: TransactionFacts) throws(StoreError) -> Order? {
        try first(
            """
            buyer_id = \(buyer) AND bundle_id = \(transaction.bundleId) AND product_id = \(transaction.productId)
              AND environment = \(transaction.environment) AND \(raw: Self.isAwaited) AND \(raw: Self.isUnpaid)
            ORDER BY order_id LIMIT 1
            """
        )
    }

    private func first(_ condition: SQL) throws(StoreError) -> Order? {
        try connection.row("SELECT \(raw: Order.columns) FROM orders WHERE \(condition)", Order.init)
    }

    /// Adds an unpaid order; false when its idempotency key or its reference is taken.
    ///
    /// An open order gets its first lookup. `metadata` is JSON; `event` is nil for an order made on the spot.
    func add(
        _ order: Order,
        metadata: String?,
        idempotencyKey: String?,
        _ event: EventID?
    ) throws(StoreError) -> Bool {
        let lookupAt = PaymentLookupSchedule.firstLookup(of: order)
        return try connection.execute(
            """
            INSERT INTO orders (order_id, bundle_id, buyer_id, product_id, quantity, environment, origin, reference,
              metadata, issued_by, idempotency_key, issued_at, issue_event, lookup_at, unit_limit, sandbox_of, payment)
            VALUES (\(order.id), \(order.bundleID), \(order.buyerID), \(order.content.productID),
              \(order.content.quantity), \(order.content.environment), \(order.origin),
              \(order.content.reference), \(metadata), \(order.content.issuedBy),
              \(idempotencyKey), \(order.issuedAt), \(event), \(lookupAt), \(order.limit), \(order.sandboxOf), 'issued')
            ON CONFLICT DO NOTHING
            """
        ) == 1
    }

    /// Leaves an order the lookups that it still has; one that is closed then will not expire any more.
    private static let goesOnLookingUp =
        "lookup_at = CASE WHEN lookups < \(PaymentLookupSchedule.ages.count) THEN lookup_at END"

    func close(_ order: Order, for reason: OrderCloseReason, _ entry: Trace.Entry) throws(StoreError) {
        try changeOne(
            """
            UPDATE orders SET payment = 'closed', close_reason = \(reason), closed_at = \(entry.time),
              close_event = \(entry.id), \(raw: Self.goesOnLookingUp)
            WHERE order_id = \(order.id) AND \(raw: Self.isUnpaid)
            """
        )
    }

    /// Stores what the phone's report has made of an unpaid order.
    func report(_ order: Order, _ report: OrderReportV1, _ entry: Trace.Entry) throws(StoreError) {
        let error: SQL =
            """
            error_domain = \(report.error?.domain), error_code = \(report.error?.code),
              reported_at = \(entry.time), report_event = \(entry.id)
            """
        switch order.payment {
        case .issued, .paid, .void: throw .corrupt("a report has changed an order to what it cannot be")
        case .deferred:
            try changeOne(
                """
                UPDATE orders SET payment = 'deferred', \(error), lookup_at = CASE
                  WHEN lookups < \(PaymentLookupSchedule.ages.count) THEN lookup_at
                  ELSE \(entry.time.advanced(by: OrderExpiry.approvalAge)) END
                WHERE order_id = \(order.id) AND payment = 'issued'
                """
            )
        case .closed(let reason):
            try changeOne(
                """
                UPDATE orders SET payment = 'closed', close_reason = \(reason), closed_at = \(entry.time),
                  \(error), \(raw: Self.goesOnLookingUp)
                WHERE order_id = \(order.id) AND \(raw: Self.isUnpaid)
                """
            )
        }
    }

    func recordGrant(_ order: Order, _ entry: Trace.Entry) throws(StoreError) {
        try changeOne(
            """
            UPDATE orders SET fulfilment = \(order.fulfilment), granted_at = \(order.grantedAt),
              recorded_at = \(entry.time), record_event = \(entry.id), record_cause = \(entry.causationid)
            WHERE order_id = \(order.id) AND payment = 'paid' AND fulfilment <> \(order.fulfilment)
            """
        )
    }

    /// Runs an update that must hit exactly one row.
    ///
    /// - Throws: `StoreError.corrupt` when the row is not in the state from which the update leads.
    func changeOne(_ sql: SQL) throws(StoreError) {
        guard try connection.execute(sql) == 1 else {
            throw .corrupt("an order is not in the state in which it was read")
        }
    }
}
