import Contracts
import Database
import Delivery

struct GrantStore {
    static let isParked: SQL = "state = 'parked'"

    let connection: any Connection

    /// The grants of a purchase: one, or further ones of buyers from whom it has moved.
    func records(of facts: TransactionFacts) throws(StoreError) -> [GrantRecord] {
        try connection.rows(
            """
            SELECT \(raw: GrantRecord.columns) FROM grants
            WHERE purchase_id = \(facts.purchaseId) AND environment = \(facts.environment)
              AND bundle_id = \(facts.bundleId)
            """,
            GrantRecord.init
        )
    }

    /// The grant of a purchase to a buyer.
    func record(of purchase: PurchaseID, to buyer: BuyerKey) throws(StoreError) -> GrantRecord? {
        try connection.row(
            "SELECT \(raw: GrantRecord.columns) FROM grants WHERE purchase_id = \(purchase) AND \(buyer.condition)",
            GrantRecord.init
        )
    }

    /// Stores a record in place of the known one, if they differ.
    func save(_ record: GrantRecord, over known: GrantRecord?) throws {
        guard record.grant != known?.grant || record.order.orderId != known?.order.orderId else { return }
        let (facts, grant, status) = (record.facts, record.grant, record.grant.holderStatus)
        let changed = try connection.execute(
            """
            INSERT INTO grants (purchase_id, environment, bundle_id, buyer_id, order_id, signed_date, state,
              reason, goods, was_payers, has_left, is_forfeited, document, catalog_version, receipt_id, changed_at,
              event_id, event_type, causation_id)
            VALUES (\(facts.purchaseId), \(facts.environment), \(facts.bundleId), \(grant.buyerId),
              \(record.order.orderId), \(facts.signedDate), \(grant.state.name), \(grant.state.reason),
              \(grant.goods.count), \(status.wasPayers), \(status.hasLeft), \(status.forfeited != nil),
              \(try record.document()), \(record.catalogVersion), \(record.receiptId), \(record.changedAt),
              \(record.eventId), \(record.eventType.grantColumn), \(record.causationId))
            ON CONFLICT (purchase_id, environment, bundle_id, buyer_id) DO UPDATE SET order_id = excluded.order_id,
              signed_date = excluded.signed_date, state = excluded.state, reason = excluded.reason,
              goods = excluded.goods, was_payers = excluded.was_payers, has_left = excluded.has_left,
              is_forfeited = excluded.is_forfeited, document = excluded.document,
              catalog_version = excluded.catalog_version,
              receipt_id = excluded.receipt_id, changed_at = excluded.changed_at,
              event_id = excluded.event_id, event_type = excluded.event_type,
              causation_id = excluded.causation_id
            WHERE grants.state = \(known?.grant.state.name)
              AND grants.signed_date = \(known?.facts.signedDate)
            """
        )
        guard changed == 1 else { throw StoreError.corrupt("a grant is not in the state it was read in") }
    }

    func records(purchaseId: String) throws(StoreError) -> [GrantRecord] {
        try connection.rows(
            "SELECT \(raw: GrantRecord.columns) FROM grants WHERE purchase_id = \(purchaseId)",
            GrantRecord.init
        )
    }

    /// The newest purchases, by Apple's ids, whose grants a request or its cause has changed.
    func records(naming event: String) throws(StoreError) -> [GrantRecord] {
        try connection.rows(
            """
            SELECT \(raw: GrantRecord.columns) FROM (
              SELECT * FROM grants
              ORDER BY purchase_id DESC, environment DESC, bundle_id DESC, buyer_id DESC
              LIMIT \(EventSearch.maximumRows)
            ) AS grants
            WHERE \(event) IN (event_id, causation_id)
            """,
            GrantRecord.init
        )
    }

    /// The next `limit` records in key order after the given key; from the first if it is empty.
    func page(
        after key: [String],
        limit: Int,
        where condition: SQL = "TRUE"
    ) throws(StoreError) -> [GrantRecord] {
        let key = key.isEmpty ? Array(repeating: "", count: GrantRecord.keyColumns) : key
        return try connection.rows(
            """
            SELECT \(raw: GrantRecord.columns) FROM grants
            WHERE \(condition) AND (purchase_id, environment, bundle_id, buyer_id)
              > (\(key[0]), \(key[1]), \(key[2]), \(key[3]))
            ORDER BY purchase_id, environment, bundle_id, buyer_id LIMIT \(limit)
            """,
            GrantRecord.init
        )
    }

    func parked() throws(StoreError) -> (count: Int, oldest: Timestamp?) {
        let row = try connection.row(
            "SELECT COUNT(*) AS count, MIN(changed_at) AS oldest FROM grants WHERE state = 'parked'"
        )
        return try row.map { row throws(StoreError) in (try row["count"], try row["oldest"]) } ?? (0, nil)
    }
}

extension GrantRecord {
    static let keyColumns = 4

    var key: [String] {
        [
            facts.purchaseId.rawValue, facts.environment.rawValue, facts.bundleId.rawValue,
            grant.buyerId.rawValue,
        ]
    }
}
