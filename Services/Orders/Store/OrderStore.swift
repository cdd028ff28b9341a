import Contracts
import Database
import OrdersCore

/// The orders of a partition.
///
/// Every update names the state from which it leads, and must hit its row: the store contradicts itself otherwise,
/// and the transaction is rolled back.
struct OrderStore {
    let connection: any Connection

    /// The order with this id, whatever its app.
    ///
    /// - Throws: `StoreError`.
    func order(_ id: OrderID) throws(StoreError) -> Order? {
        try first("order_id = ?", [.text(id.rawValue)])
    }

    /// The app's order with this reference.
    ///
    /// - Throws: `StoreError`.
    func order(reference: String, of bundle: BundleID) throws(StoreError) -> Order? {
        try first("reference = ? AND bundle_id = ?", [.text(reference), .text(bundle.rawValue)])
    }

    /// The buyer's order that was made under this idempotency key.
    ///
    /// - Throws: `StoreError`.
    func order(idempotencyKey: String, of buyer: BuyerID, in bundle: BundleID) throws(StoreError) -> Order? {
        try first(
            "buyer_id = ? AND idempotency_key = ? AND bundle_id = ?",
            [.text(buyer.rawValue), .text(idempotencyKey), .text(bundle.rawValue)]
        )
    }

    /// The order that this purchase pays.
    ///
    /// - Throws: `StoreError`.
    func order(paidBy transaction: TransactionFacts) throws(StoreError) -> Order? {
        try first(
            "purchase_id = ? AND bundle_id = ? AND environment = ?",
            [
                .text(transaction.purchaseId.rawValue), .text(transaction.bundleId.rawValue),
                .text(transaction.environment.rawValue),
            ]
        )
    }

    /// The buyer's oldest open order for the product and environment of `transaction`.
    ///
    /// - Throws: `StoreError`.
    func oldestOpen(of buyer: BuyerID, for transaction: TransactionFacts) throws(StoreError) -> Order? {
        try first(
            """
            buyer_id = ? AND bundle_id = ? AND product_id = ? AND environment = ? AND payment = 'issued' \
            ORDER BY order_id LIMIT 1
            """,
            [
                .text(buyer.rawValue), .text(transaction.bundleId.rawValue),
                .text(transaction.productId.rawValue), .text(transaction.environment.rawValue),
            ]
        )
    }

    private func first(_ condition: String, _ values: [Value]) throws(StoreError) -> Order? {
        guard let row = try connection.row("SELECT \(Order.columns) FROM orders WHERE \(condition)", values)
        else { return nil }
        return try Order(row: row)
    }

    /// Adds an order as unpaid, unless its idempotency key or its reference is taken; an open one is watched.
    ///
    /// `metadata` is the JSON of the order's own; `step` is the request, nil for an order made on the spot.
    ///
    /// - Returns: whether the order was added.
    /// - Throws: `StoreError`.
    func add(
        _ order: Order,
        metadata: String?,
        idempotencyKey: String?,
        _ step: Step?
    ) throws(StoreError) -> Bool {
        try connection.execute(
            """
            INSERT INTO orders (order_id, bundle_id, buyer_id, product_id, quantity, environment, reference, \
            metadata, idempotency_key, issued_at, issue_event, look_at, payment) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'issued') ON CONFLICT DO NOTHING
            """,
            [
                .text(order.id.rawValue), .text(order.bundleID.rawValue), .text(order.buyerID.rawValue),
                .text(order.content.productID.rawValue), Value(order.content.quantity),
                .text(order.content.environment.rawValue), Value(order.content.reference), Value(metadata),
                Value(idempotencyKey), .integer(order.issuedAt.milliseconds), Value(step?.event.rawValue),
                Value(order.firstLookAt?.milliseconds),
            ]
        ) == 1
    }

    /// Closes an issued order.
    ///
    /// - Throws: `StoreError`.
    func close(_ order: Order, for reason: OrderCloseReason, _ step: Step) throws(StoreError) {
        try changeOne(
            """
            UPDATE orders SET payment = 'closed', close_reason = ?, closed_at = ?, close_event = ?, look_at = NULL \
            WHERE order_id = ? AND payment = 'issued'
            """,
            [
                .text(reason.rawValue), .integer(step.time.milliseconds), .text(step.event.rawValue),
                .text(order.id.rawValue),
            ]
        )
    }

    /// Follows the ledger's outcome for a paid order.
    ///
    /// - Throws: `StoreError`.
    func settle(_ order: Order, _ step: Step) throws(StoreError) {
        try changeOne(
            """
            UPDATE orders SET fulfilment = ?, granted_at = ?, settled_at = ?, settle_event = ?, settle_cause = ? \
            WHERE order_id = ? AND payment = 'paid' AND fulfilment <> ?
            """,
            [
                .text(order.fulfilment.rawValue), Value(order.grantedAt?.milliseconds),
                .integer(step.time.milliseconds), .text(step.event.rawValue), Value(step.cause?.rawValue),
                .text(order.id.rawValue), .text(order.fulfilment.rawValue),
            ]
        )
    }

    /// Runs an update that must hit exactly one row.
    ///
    /// - Throws: `StoreError`; `corrupt` when the row is not in the state from which the update leads.
    func changeOne(_ sql: String, _ values: [Value]) throws(StoreError) {
        guard try connection.execute(sql, values) == 1 else {
            throw .corrupt("an order is not in the state in which it was read")
        }
    }
}
