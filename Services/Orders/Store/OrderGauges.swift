import Contracts
import Database
import Delivery

struct OrderGauges {
    /// The highest count, so that the query stays fast.
    static let countedAtMost = 10_000

    let connection: any Connection

    func read(now: Timestamp) throws(StoreError) -> [String: Double] {
        [
            "counterfoil_paid_ungranted_oldest_seconds": try oldestUngranted(now: now),
            "counterfoil_paid_ungranted_orders": try count(OrderStore.isUngranted),
            "counterfoil_orders_issued": try count("\(OrderStore.isAwaited) AND \(OrderStore.isUnpaid)"),
            "counterfoil_orders_to_look_up": try count("lookup_at IS NOT NULL"),
        ]
    }

    /// How long the oldest paid order has waited for the ledger's answer, s; 0 when none waits.
    private func oldestUngranted(now: Timestamp) throws(StoreError) -> Double {
        let paidAt: Timestamp? = try connection.value(
            "SELECT MIN(paid_at) FROM orders WHERE \(raw: OrderStore.isUngranted)"
        )
        return now.seconds(since: paidAt)
    }

    private func count(_ condition: String) throws(StoreError) -> Double {
        let count: Int? = try connection.value(
            """
            SELECT count(*) FROM (
              SELECT 1 AS one FROM orders WHERE \(raw: condition) LIMIT \(Self.countedAtMost)
            ) AS counted
            """
        )
        return Double(count ?? 0)
    }
}
