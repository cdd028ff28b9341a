import Contracts
import Database
import Delivery

/// What Apple said last of the next renewal of each subscription.
struct RenewalStore {
    let connection: any Connection

    func renewal(of chain: ChainKey) throws(StoreError) -> RenewalFacts? {
        try connection.content("SELECT document FROM renewal WHERE \(chain.condition)")
    }

    /// Stores newer facts; false for older ones.
    func save(_ renewal: RenewalFacts, of chain: ChainKey) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO renewal (original_transaction_id, bundle_id, environment, signed_date, document)
            VALUES (\(chain.originalTransactionID), \(chain.bundleID), \(chain.environment), \(renewal.signedDate),
              \(try JSONColumn.text(renewal)))
            ON CONFLICT (original_transaction_id, bundle_id, environment)
            DO UPDATE SET signed_date = excluded.signed_date, document = excluded.document
            WHERE renewal.signed_date < excluded.signed_date
            """
        ) == 1
    }
}
