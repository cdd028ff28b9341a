import Contracts
import Database

/// Figures of the moment about the orders of a partition.
struct OrderGauges {
    /// Open orders above this number are not counted, so that the figure costs no more than a moment.
    static let countedAtMost = 10_000

    let connection: any Connection

    /// The figures by their Prometheus names.
    ///
    /// - Throws: `StoreError`.
    func read(now: Timestamp) throws(StoreError) -> [String: Double] {
        [
            "counterfoil_paid_ungranted_oldest_seconds": try oldestUngranted(now: now),
            "counterfoil_paid_ungranted_orders": try count("payment = 'paid' AND fulfilment = 'none'"),
            "counterfoil_orders_issued": try count("payment = 'issued'"),
            "counterfoil_orders_watched": try count("look_at IS NOT NULL"),
        ]
    }

    /// How long the oldest paid order has waited for the ledger's answer, in seconds; 0 when none waits.
    private func oldestUngranted(now: Timestamp) throws(StoreError) -> Double {
        let row = try connection.row(
            """
            SELECT paid_at FROM orders WHERE payment = 'paid' AND fulfilment = 'none' ORDER BY paid_at LIMIT 1
            """
        )
        guard let row else { return 0 }
        return max(0, Double(now.milliseconds - (try row.integer(0))) / 1_000)
    }

    private func count(_ condition: String) throws(StoreError) -> Double {
        let row = try connection.row(
            "SELECT count(*) FROM (SELECT 1 AS one FROM orders WHERE \(condition) LIMIT ?) AS counted",
            [Value(Self.countedAtMost)]
        )
        return Double(try row?.integer(0) ?? 0)
    }
}
