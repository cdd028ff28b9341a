import Contracts
import Database
import Delivery

extension WalletRequest.Route: ValueConvertible {}

/// The requests of wallets that had an effect, with their replies; kept as long as the ledger.
struct WalletRequestStore {
    let connection: any Connection

    /// What the key of a request was used for before, and the reply; nil for a new one.
    func known(_ request: WalletRequest) throws(StoreError) -> (fingerprint: String, reply: WalletEntryV1)? {
        try connection.row(
            """
            SELECT fingerprint, entry_id, balance FROM wallet_request
            WHERE bundle_id = \(request.bundleId) AND buyer_id = \(request.buyerId) AND route = \(request.route)
              AND idempotency_key = \(request.idempotencyKey)
            """
        ) { row throws(StoreError) in
            let reply = WalletEntryV1(entryId: try row["entry_id"], balance: try row["balance"])
            return (try row["fingerprint"], reply)
        }
    }

    func add(_ request: WalletRequest, _ reply: WalletEntryV1) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO wallet_request (bundle_id, buyer_id, route, idempotency_key, fingerprint, entry_id, balance)
            VALUES (\(request.bundleId), \(request.buyerId), \(request.route), \(request.idempotencyKey),
              \(request.fingerprint), \(reply.entryId), \(reply.balance))
            """
        )
    }
}
