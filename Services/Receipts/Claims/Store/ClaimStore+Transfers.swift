import Contracts
import Database

/// The moves of purchases, which only a redrive reads.
extension ClaimStore {
    /// Adds a move, unless it is known.
    func add(_ step: TransferStep, of key: PurchaseKey, now: Timestamp) throws(StoreError) {
        try insert(step, of: key, now: now, orElse: "NOTHING")
    }

    /// Stores a move as the ledger states it; it knows from whom, where a restored claim can only guess.
    func put(_ step: TransferStep, of key: PurchaseKey, now: Timestamp) throws(StoreError) {
        try insert(
            step,
            of: key,
            now: now,
            orElse: """
                UPDATE SET from_id = excluded.from_id, to_id = excluded.to_id, cause = excluded.cause,
                  order_id = COALESCE(excluded.order_id, transfer.order_id),
                  payer_id = COALESCE(excluded.payer_id, transfer.payer_id)
                """
        )
    }

    private func insert(
        _ step: TransferStep,
        of key: PurchaseKey,
        now: Timestamp,
        orElse: String
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO transfer (purchase_id, bundle_id, environment, transfer, from_id, to_id, cause, order_id, payer_id,
              moved_at)
            VALUES (\(key.purchaseID), \(key.bundleID), \(key.environment), \(step.number), \(step.from),
              \(step.to), \(step.cause), \(step.lost), \(step.payer), \(now))
            ON CONFLICT (purchase_id, bundle_id, environment, transfer) DO \(raw: orElse)
            """
        )
    }

    /// In order.
    func transfers(of key: PurchaseKey) throws(StoreError) -> [TransferStep] {
        try connection.rows(
            "SELECT * FROM transfer WHERE \(key.condition) ORDER BY transfer"
        ) { row throws(StoreError) in
            TransferStep(
                number: try row["transfer"],
                from: try row["from_id"],
                to: try row["to_id"],
                cause: try row["cause"],
                lost: try row["order_id"],
                payer: try row["payer_id"]
            )
        }
    }
}
