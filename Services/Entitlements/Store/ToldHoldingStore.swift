import Contracts
import Database
import Delivery

/// What the buyers' servers were told of each entitlement.
struct ToldHoldingStore {
    let connection: any Connection

    /// What was told; nil before anything gave the entitlement.
    func told(_ key: HoldingKey) throws(StoreError) -> ToldHolding? {
        try connection.row(
            """
            SELECT is_held, expires_at, reason, changes_at, computed_at, event_id FROM told_holding
            WHERE \(key.buyer.condition) AND entitlement = \(key.entitlement)
            """,
            ToldHolding.init
        )
    }

    func save(_ told: ToldHolding, of key: HoldingKey) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO told_holding (bundle_id, buyer_id, environment, entitlement, is_held, expires_at, reason,
              changes_at, computed_at, event_id)
            VALUES (\(key.bundleId), \(key.buyerId), \(key.environment), \(key.entitlement), \(told.isHeld),
              \(told.expires), \(told.reason?.rawValue), \(told.changesAt), \(told.computedAt),
              \(told.eventID))
            ON CONFLICT (bundle_id, buyer_id, environment, entitlement)
            DO UPDATE SET is_held = excluded.is_held, expires_at = excluded.expires_at, reason = excluded.reason,
              changes_at = excluded.changes_at, computed_at = excluded.computed_at,
              event_id = excluded.event_id
            """
        )
    }

    /// Those that time has changed, longest first, and those that were computed by a clock which was ahead.
    func due(at now: Timestamp, limit: Int) throws(StoreError) -> [HoldingKey] {
        let keys = try connection.rows(
            """
            SELECT * FROM (
              SELECT bundle_id, buyer_id, environment, entitlement FROM told_holding
              WHERE changes_at <= \(now) ORDER BY changes_at LIMIT \(limit)
            ) UNION SELECT * FROM (
              SELECT bundle_id, buyer_id, environment, entitlement FROM told_holding
              WHERE computed_at > \(now) LIMIT \(limit)
            )
            """,
            HoldingKey.init
        )
        return Array(keys.prefix(limit))
    }

    /// When time changes the next one.
    func nextChange(after now: Timestamp) throws(StoreError) -> Timestamp? {
        try connection.value("SELECT MIN(changes_at) FROM told_holding WHERE changes_at > \(now)")
    }

    /// When time changed the first of those that are not told, or will.
    func firstChange() throws(StoreError) -> Timestamp? {
        try connection.value("SELECT MIN(changes_at) FROM told_holding WHERE changes_at IS NOT NULL")
    }
}

extension HoldingKey {
    init(_ row: Row) throws(StoreError) {
        self.init(try row["bundle_id"], try row["buyer_id"], try row["environment"], try row["entitlement"])
    }
}

extension ToldHolding {
    fileprivate init(_ row: Row) throws(StoreError) {
        let reason: String? = try row["reason"]
        self.init(
            isHeld: try row["is_held"],
            expires: try row["expires_at"],
            reason: try reason.map(HoldingChangedV1.Reason.init(stored:)),
            changesAt: try row["changes_at"],
            computedAt: try row["computed_at"],
            eventID: try row["event_id"]
        )
    }
}

extension HoldingChangedV1.Reason {
    fileprivate init(stored name: String) throws(StoreError) {
        guard let reason = Self(rawValue: name) else { throw .corrupt("told_holding.reason is \(name)") }
        self = reason
    }
}
