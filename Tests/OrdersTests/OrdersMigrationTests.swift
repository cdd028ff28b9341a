import Contracts
import Database
import OrdersCore
import TestKit
import Testing

@testable import Delivery
@testable import Orders

@Suite struct `orders of an older program` {
    /// A store as the first program left it, with an open, a closed and a paid order.
    private func olderStore() throws -> SQLiteDatabase {
        let database = try SQLiteDatabase(path: ":memory:")
        let migrations = OrdersSchema.schema.migrations
        try database.write { connection in
            try Schema("orders", Array(migrations.prefix(1))).migrate(connection)
            for (id, payment) in [
                ("open", "'issued', NULL, NULL, NULL, NULL, NULL, NULL"),
                ("closed", "'closed', 'cancelled', NULL, NULL, NULL, NULL, NULL"),
                ("paid", "'paid', NULL, '1000', '1000', 7, '{}', 7"),
            ] {
                try connection.execute(
                    """
                    INSERT INTO orders (order_id, bundle_id, buyer_id, product_id, quantity, environment, issued_at, \
                    payment, close_reason, purchase_id, transaction_id, paid_at, facts, signed_date) \
                    VALUES (?, 'com.example.game', 'ada', 'coins.100', 1, 'Production', 5000, \(payment))
                    """,
                    [.text(id)]
                )
            }
        }
        return database
    }

    @Test func `are watched from their issue on, if they are open`() throws {
        let database = try olderStore()
        let watched = try database.write { connection in
            try OrdersSchema.schema.migrate(connection)
            return try WatchedOrders(connection: connection).first(10)
        }
        #expect(watched.map(\.id.rawValue) == ["open"])
        #expect(watched.map(\.dueAt) == [Timestamp(milliseconds: 5_000 + OrderWatch.ages[0])])
    }

    @Test func `lend their transactions to the search for payments`() throws {
        let database = try olderStore()
        let transaction = try database.write { connection in
            try OrdersSchema.schema.migrate(connection)
            return try WatchedOrders(connection: connection).newestTransaction(
                of: .init(
                    bundleID: OrdersHarness.bundle,
                    buyerID: OrdersHarness.buyer,
                    environment: .production
                )
            )
        }
        #expect(transaction == TransactionID(unchecked: "1000"))
    }
}
