import Contracts

/// What only the store of one service knows, of one kind: no other store can tell it again.
///
/// Purchases are none of it, because Receipts, Orders and Entitlements each know them.
struct LostKind: Equatable {
    /// In the plural.
    let name: String
    /// Has one column, with a text for the operator.
    let query: String
    /// Whether phones tell it again, so that its number is enough.
    var comesBack = false

    static func all(of service: ServiceName) -> [LostKind] {
        switch service {
        case .entitlements: [movements, consents]
        case .orders: [orders, tokens]
        case .receipts: [proofs]
        case .notifications: []
        }
    }

    private static let movements = LostKind(
        name: "spends and credits",
        query: """
            SELECT kind || ' of ' || amount || ' ' || entitlement || ', ' || environment || ', buyer ' || buyer_id
              || ' of ' || bundle_id || ', entry ' || entry_id
            FROM ledger WHERE kind IN ('spend', 'credit', 'spendReversal')
            """
    )
    private static let consents = LostKind(
        name: "consents",
        query: """
            SELECT 'consent ' || CASE consumption WHEN 1 THEN 'given' ELSE 'withdrawn' END || ', buyer ' || buyer_id
              || ' of ' || bundle_id
            FROM consent
            """
    )
    private static let orders = LostKind(
        name: "unpaid orders",
        query: """
            SELECT 'order ' || order_id || ' for ' || product_id || ', ' || environment || ', buyer ' || buyer_id
              || ' of ' || bundle_id
            FROM orders WHERE payment IN ('issued', 'deferred')
            """
    )
    private static let tokens = LostKind(
        name: "registered account tokens",
        query: "SELECT 'token ' || token || ', buyer ' || buyer_id || ' of ' || bundle_id FROM token_owner"
    )
    private static let proofs = LostKind(
        name: "pending and parked proofs",
        query: "SELECT receipt_id FROM submission WHERE state IN ('pending', 'parked')",
        comesBack: true
    )
}
