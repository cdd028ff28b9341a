import Contracts
import Database
import OrdersCore

/// The tokens of apps' own, and whose they are.
struct TokenStore {
    let connection: any Connection

    /// The buyer for whom a token is registered.
    ///
    /// - Throws: `StoreError`.
    func owner(of token: AccountToken, in bundle: BundleID) throws(StoreError) -> BuyerID? {
        let row = try connection.row(
            "SELECT buyer_id FROM token_owner WHERE token = ? AND bundle_id = ?",
            [.text(token.rawValue), .text(bundle.rawValue)]
        )
        guard let row else { return nil }
        return BuyerID(unchecked: try row.text(0))
    }

    /// Registers a free token for a buyer.
    ///
    /// - Throws: `StoreError`; `constraint` when the token is taken.
    func register(
        _ token: AccountToken,
        in bundle: BundleID,
        for buyer: BuyerID,
        _ step: Step
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO token_owner (token, bundle_id, buyer_id, registered_at, register_event) \
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                .text(token.rawValue), .text(bundle.rawValue), .text(buyer.rawValue),
                .integer(step.time.milliseconds), .text(step.event.rawValue),
            ]
        )
    }
}
