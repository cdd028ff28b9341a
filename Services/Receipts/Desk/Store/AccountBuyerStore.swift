import Contracts
import Database

/// Who has bought with which Apple Account.
///
/// A buyer of an account has one row, which is written with the first purchase that they hold. It only names whom an
/// orphan may belong to; nothing is decided by it.
struct AccountBuyerStore {
    let connection: any Connection

    /// Notes the account of a purchase that is held now, if Apple states one.
    func note(_ key: PurchaseKey) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO account_buyer (account, bundle_id, environment, buyer_id)
            SELECT signed_transaction ->> 'appTransactionId', bundle_id, environment, buyer_id FROM claim
            WHERE \(key.condition) AND buyer_id IS NOT NULL AND signed_transaction ->> 'appTransactionId' IS NOT NULL
            ON CONFLICT (account, bundle_id, environment, buyer_id) DO NOTHING
            """
        )
    }

    func buyers(of account: String) throws(StoreError) -> [FoundFacts.AccountBuyer] {
        try connection.rows(
            "SELECT * FROM account_buyer WHERE account = \(account) LIMIT \(Self.buyersOfAccount)"
        ) {
            row throws(StoreError) in
            FoundFacts.AccountBuyer(
                account: account,
                bundleId: try row["bundle_id"],
                environment: try row["environment"],
                buyerId: try row["buyer_id"]
            )
        }
    }

    private static let buyersOfAccount = 20
}
