import Contracts
import Database
import Delivery

/// The claims of purchases that go to another chain.
extension ClaimStore {
    /// The claim of a purchase that its own chain has; in a partition another chain may have one with the same id.
    func record(_ purchase: ChainPurchase) throws(StoreError) -> ClaimRecord? {
        guard let record = try record(purchase.claim),
            record.originalTransactionID == purchase.chain.originalTransactionID
        else { return nil }
        return record
    }

    /// Removes a claim that nobody holds, with all that waits for it and its further names.
    func remove(_ record: ClaimRecord) throws(StoreError) {
        for table in ["claim", "claim_waiter", "purchase_alias"] {
            try connection.execute("DELETE FROM \(raw: table) WHERE \(record.key.condition)")
        }
    }
}
