import Contracts
import Database
import OrdersCore

/// The paid orders of a partition with the facts of their payments, page by page.
struct PaidOrders {
    /// One paid order and what is known of its payment.
    struct Payment {
        let order: Order
        let transaction: TransactionFacts
        /// The proposal that was answered; 0 when a restated transaction brought the payment back.
        let attempt: Int
    }

    /// Rows read at a time.
    static let pageRows = 500

    let connection: any Connection

    /// Hands every paid order to `body`, in order of id.
    ///
    /// - Throws: `StoreError`, and what `body` throws.
    func forEach(_ body: (Payment) throws -> Void) throws {
        var after = ""
        while let last = try page(after: after, body) { after = last }
    }

    /// Hands a page to `body`; returns the last id of it, nil when there was none.
    private func page(after: String, _ body: (Payment) throws -> Void) throws -> String? {
        let rows = try connection.rows(
            """
            SELECT \(Order.columns), facts, attempt FROM orders WHERE payment = 'paid' AND order_id > ? \
            ORDER BY order_id LIMIT ?
            """,
            [.text(after), Value(Self.pageRows)]
        )
        for row in rows {
            let payment = Payment(
                order: try Order(row: row),
                transaction: try JSONColumn.value(TransactionFacts.self, try row.text(16)),
                attempt: Int(try row.optionalInteger(17) ?? 0)
            )
            try body(payment)
        }
        return try rows.last?.text(0)
    }
}
