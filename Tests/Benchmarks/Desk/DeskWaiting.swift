import Contracts
import Database
import Delivery
import TestKit

/// Makes a share of the purchases in the stores of a resting group wait for somebody.
struct DeskWaiting {
    /// No webhook is due while it is measured; what is due later than services plan is due at once.
    private static let pauseMilliseconds: Int64 = 5 * 60_000

    private static let acts = 100_000

    let home: TestHome
    let share: Int

    /// Orders, references, buyers, purchases and receipts to search for, from all over the stores.
    func samples(_ count: Int) throws -> [String] {
        let orders = try texts("orders", "SELECT order_id FROM orders ORDER BY random() LIMIT \(count)")
        let buyers = try texts("orders", "SELECT buyer_id FROM orders ORDER BY random() LIMIT \(count)")
        let claims = try texts("receipts", "SELECT purchase_id FROM claim ORDER BY random() LIMIT \(count)")
        let receipts = try texts(
            "receipts",
            "SELECT receipt_id FROM submission ORDER BY random() LIMIT \(count)"
        )
        let references = try texts(
            "orders",
            "SELECT reference FROM orders WHERE reference IS NOT NULL ORDER BY random() LIMIT \(count)"
        )
        let kinds = [orders, references, buyers, claims, receipts]
        return (0..<count).map { number in
            let kind = kinds[number % kinds.count]
            return kind.isEmpty ? "none" : kind[number % kind.count]
        }
    }

    /// Returns how many rows each list has, about.
    func make() throws -> Int {
        let due = ClockReading.current().now.milliseconds + Self.pauseMilliseconds
        let one = "rowid % \(share) ="
        let noHolder = "buyer_id = NULL, order_id = NULL, held_by = NULL, has_waiters = 0"
        let free = "state = 'held' AND transfers = 0 AND challenge IS NULL AND transfer_to IS NULL"
        try write("receipts", "UPDATE claim SET state = 'orphan', \(noHolder) WHERE \(one) 1 AND \(free)")
        try write(
            "receipts",
            """
            UPDATE claim SET state = 'waiting', evidence = 'overdue', evidence_due_at = NULL, \(noHolder)
            WHERE \(one) 2 AND \(free)
            """
        )
        try write(
            "entitlements",
            "UPDATE grants SET state = 'parked', reason = 'unknownProduct' WHERE \(one) 3 AND state = 'granted'"
        )
        try write("orders", "UPDATE orders SET fulfilment = 'none' WHERE \(one) 4 AND fulfilment = 'granted'")
        try write(
            "notifications",
            """
            INSERT INTO webhook (about, change_id, event_type, bundle_id, subject, sequence, event_id, body, attempts,
              answer, created_at, due_at)
            SELECT transaction_id, receipt_id, 'counterfoil.entitlement.changed.v1', 'com.example.game', receipt_id, 1,
              receipt_id, '{}', 4, '500', changed_at, \(due)
            FROM verdict WHERE transaction_id <> '' AND unicode(substr(receipt_id, -1)) % 16 = 1
            ORDER BY receipt_id LIMIT (SELECT count(*) / \(share) FROM verdict)
            """
        )
        try addUnpaidOrders()
        try addActs()
        return try texts("receipts", "SELECT purchase_id FROM claim WHERE state = 'orphan'").count
    }

    /// An order that nobody has paid beside every other one that is paid.
    private func addUnpaidOrders() throws {
        try write(
            "orders",
            """
            INSERT INTO orders (order_id, bundle_id, buyer_id, product_id, quantity, environment, origin, issued_at,
              payment)
            SELECT substr(order_id, 1, 24) || printf('%012X', rowid), bundle_id, buyer_id, product_id, 1, environment,
              'phone', issued_at, 'issued'
            FROM orders WHERE rowid % 2 = 0 AND payment = 'paid'
            """
        )
    }

    private func addActs() throws {
        try write(
            "entitlements",
            """
            INSERT INTO act (time, operator_id, kind, subject, person, reason, before, after)
            SELECT changed_at, 'o-' || rowid % 10, 'compensationProposed', purchase_id, 'p-' || rowid % 1000, 'lost',
              '', 'proposed'
            FROM grants LIMIT \(Self.acts)
            """
        )
    }

    private func write(_ service: String, _ sql: String) throws {
        let store = try SQLiteDatabase(path: path(of: service))
        try store.write { connection in _ = try connection.execute("\(raw: sql)") }
        try store.checkpoint()
        try store.close()
    }

    private func texts(_ service: String, _ sql: String) throws -> [String] {
        let store = try SQLiteDatabase(path: path(of: service))
        let found: [String] = try store.write { connection in
            try connection.rows("\(raw: sql)") { row throws(StoreError) in try row[0] }
        }
        try store.close()
        return found
    }

    private func path(of service: String) -> String { home.root + "/data/\(service)/0.sqlite" }
}
