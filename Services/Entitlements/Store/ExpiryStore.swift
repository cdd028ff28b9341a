import Contracts
import Database
import Delivery

/// An entitlement that ends by itself.
struct ExpiryRecord: Hashable, Sendable {
    let bundleId: BundleID
    let buyerId: BuyerID
    let environment: Environment
    let entitlement: String
    let plan: Expiry.Plan

    init(_ request: EntitlementsGetV1, _ entitlement: String, _ plan: Expiry.Plan) {
        (bundleId, buyerId) = (request.bundleId, request.buyerId)
        (environment, self.entitlement, self.plan) = (request.environment, entitlement, plan)
    }

    /// Whose entitlements it is one of.
    var request: EntitlementsGetV1 {
        EntitlementsGetV1(bundleId: bundleId, buyerId: buyerId, environment: environment)
    }
}

/// The entitlements that end by themselves, and when.
struct ExpiryStore {
    let connection: any Connection

    func record(_ request: EntitlementsGetV1, _ entitlement: String) throws(StoreError) -> ExpiryRecord? {
        try connection.row(
            """
            SELECT * FROM expiry WHERE \(request.condition) AND entitlement = \(entitlement)
            """,
            ExpiryRecord.init
        )
    }

    func save(_ record: ExpiryRecord) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO expiry (bundle_id, buyer_id, environment, entitlement, expires_at, product_id,
              is_told)
            VALUES (\(record.bundleId), \(record.buyerId), \(record.environment), \(record.entitlement),
              \(record.plan.expiresAt), \(record.plan.productId), \(record.plan.isTold))
            ON CONFLICT (bundle_id, buyer_id, environment, entitlement)
            DO UPDATE SET expires_at = excluded.expires_at, product_id = excluded.product_id,
              is_told = excluded.is_told
            """
        )
    }

    func remove(_ request: EntitlementsGetV1, _ entitlement: String) throws(StoreError) {
        try connection.execute(
            "DELETE FROM expiry WHERE \(request.condition) AND entitlement = \(entitlement)"
        )
    }

    /// Those that ended first, or will, and of which nobody was told.
    func first(_ limit: Int) throws(StoreError) -> [ExpiryRecord] {
        try connection.rows(
            "SELECT * FROM expiry WHERE is_told = 0 ORDER BY expires_at LIMIT \(limit)",
            ExpiryRecord.init
        )
    }

    /// When the first of those ended, or will, of which nobody was told.
    func oldest() throws(StoreError) -> Timestamp? {
        try connection.value("SELECT MIN(expires_at) FROM expiry WHERE is_told = 0")
    }
}

extension ExpiryRecord {
    fileprivate init(_ row: Row) throws(StoreError) {
        bundleId = try row["bundle_id"]
        buyerId = try row["buyer_id"]
        environment = try row["environment"]
        entitlement = try row["entitlement"]
        plan = Expiry.Plan(
            expiresAt: try row["expires_at"],
            productId: try row["product_id"],
            isTold: try row["is_told"]
        )
    }
}
