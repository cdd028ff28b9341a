import Contracts
import Database
import Delivery

/// What buyers agree to; who has said nothing agrees to nothing.
struct ConsentStore {
    let connection: any Connection

    func set(_ consent: ConsentSetV1, at now: Timestamp) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO consent (bundle_id, buyer_id, consumption, changed_at)
            VALUES (\(consent.bundleId), \(consent.buyerId), \(consent.consumption), \(now))
            ON CONFLICT (bundle_id, buyer_id)
            DO UPDATE SET consumption = excluded.consumption, changed_at = excluded.changed_at
            WHERE consent.consumption <> excluded.consumption
            """
        )
    }

    /// Whether Apple may be told what the buyer has used of a purchase.
    func allowsConsumption(_ bundle: BundleID, _ buyer: BuyerID) throws(StoreError) -> Bool {
        try connection.value(
            "SELECT consumption FROM consent WHERE bundle_id = \(bundle) AND buyer_id = \(buyer)"
        ) ?? false
    }
}
