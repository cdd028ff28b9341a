import Contracts
import Database
import Delivery

struct TokenStore {
    let connection: any Connection

    func owner(of token: AccountToken, in bundle: BundleID) throws(StoreError) -> BuyerID? {
        try connection.value(
            "SELECT buyer_id FROM token_owner WHERE token = \(token) AND bundle_id = \(bundle)"
        )
    }

    /// Registers a free token for a buyer.
    ///
    /// - Throws: `StoreError.constraint` when the token is taken.
    func register(
        _ token: AccountToken,
        in bundle: BundleID,
        for buyer: BuyerID,
        _ entry: Trace.Entry
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO token_owner (token, bundle_id, buyer_id, registered_at, register_event)
            VALUES (\(token), \(bundle), \(buyer), \(entry.time), \(entry.id))
            """
        )
    }
}
