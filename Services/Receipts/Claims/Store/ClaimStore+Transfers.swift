import Contracts
import Database

/// The moves of purchases, which only a redrive reads.
extension ClaimStore {
    /// Adds a move, unless it is known; one that the ledger states counts: it knows from whom, where a restored claim
    /// can only guess.
    func add(
        _ step: TransferStep,
        of key: PurchaseKey,
        isStated: Bool = false,
        now: Timestamp
    ) throws(StoreError) {
        let update = """
            UPDATE SET from_id = excluded.from_id, to_id = excluded.to_id, cause = excluded.cause,
              order_id = COALESCE(excluded.order_id, transfer.order_id),
              payer_id = COALESCE(excluded.payer_id, transfer.payer_id)
            """
        try connection.execute(
            """
            INSERT INTO transfer (purchase_id, bundle_id, environment, transfer, from_id, to_id, cause, order_id,
              payer_id, moved_at)
            VALUES (\(key.purchaseID), \(key.bundleID), \(key.environment), \(step.number), \(step.from),
              \(step.to), \(step.cause), \(step.lost), \(step.payer), \(now))
            ON CONFLICT (purchase_id, bundle_id, environment, transfer) DO \(raw: isStated ? update : "NOTHING")
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
