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

    /// Rows of one page.
    static let pageRows = 500

    let connection: any Connection

    /// The paid orders that follow this id, in order of id.
    ///
    /// - Throws: `StoreError`.
    func page(after id: String) throws(StoreError) -> [Payment] {
        let rows = try connection.rows(
            """
            SELECT \(Order.columns), facts, attempt FROM orders WHERE payment = 'paid' AND order_id > ? \
            ORDER BY order_id LIMIT ?
            """,
            [.text(id), Value(Self.pageRows)]
        )
        return try rows.map { row throws(StoreError) in
            Payment(
                order: try Order(row: row),
                transaction: try JSONColumn.value(TransactionFacts.self, try row.text(17)),
                attempt: Int(try row.optionalInteger(18) ?? 0)
            )
        }
    }
}
