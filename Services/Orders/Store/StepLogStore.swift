import Contracts
import Database
import Delivery

/// The steps that phones have handed in, a row each.
struct StepLogStore {
    let connection: any Connection

    func log(of order: OrderID) throws(StoreError) -> StepLog {
        let entries = try connection.rows(
            """
            SELECT noted_at, step, error_code, error_domain FROM order_step WHERE order_id = \(order)
            ORDER BY position
            """
        ) { row throws(StoreError) in
            StepLogEntry(
                at: try row["noted_at"],
                step: try row["step"],
                code: try row["error_code"],
                domain: try row["error_domain"]
            )
        }
        return StepLog(entries)
    }

    /// Adds the last entries of a log, which are `added`.
    func add(_ added: [StepLogEntry], of log: StepLog, to order: OrderID) throws(StoreError) {
        for (position, entry) in zip((log.entries.count - added.count)..., added) {
            try connection.execute(
                """
                INSERT INTO order_step (order_id, position, noted_at, step, error_code, error_domain)
                VALUES (\(order), \(position), \(entry.at), \(entry.step), \(entry.code), \(entry.domain))
                """
            )
        }
    }

    /// What `trace` shows of an order: each step at the time that the phone says.
    func entries(of order: OrderID) throws(StoreError) -> [Trace.Entry] {
        try log(of: order).entries.enumerated().map { position, step in
            let number = position < 10 ? "0\(position)" : "\(position)"
            var entry = Trace.Entry(time: step.at, type: OrderLogV1.type.rawValue, id: "step-\(number)")
            entry.step = step
            return entry
        }
    }
}
