import Contracts
import Database
import Delivery
import EntitlementsCore

/// What each purchase came to.
struct GrantStore {
    let connection: any Connection

    /// What is known of a purchase; nil when it was never asked for.
    func record(of facts: TransactionFacts) throws(StoreError) -> GrantRecord? {
        try connection.row(
            """
            SELECT \(GrantRecord.columns) FROM grants
            WHERE purchase_id = ? AND environment = ? AND bundle_id = ?
            """,
            [
                .text(facts.purchaseId.rawValue), .text(facts.environment.rawValue),
                .text(facts.bundleId.rawValue),
            ]
        ).map(GrantRecord.init)
    }

    /// Writes a record in the place of the known one; nothing when it says the same.
    func save(_ record: GrantRecord, over known: GrantRecord?) throws {
        guard record.grant != known?.grant else { return }
        guard let known else { return try insert(record) }
        try update(record, from: known)
    }

    private func insert(_ record: GrantRecord) throws {
        let facts = record.facts
        try connection.execute(
            """
            INSERT INTO grants (order_id, signed_date, state, reason, document, receipt_id, changed_at, event_id,
              causation_id, purchase_id, environment, bundle_id, buyer_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            try content(of: record) + [
                .text(facts.purchaseId.rawValue), .text(facts.environment.rawValue),
                .text(facts.bundleId.rawValue), .text(record.grant.buyerId.rawValue),
            ]
        )
    }

    private func update(_ record: GrantRecord, from known: GrantRecord) throws {
        let facts = record.facts
        let changed = try connection.execute(
            """
            UPDATE grants SET order_id = ?, signed_date = ?, state = ?, reason = ?, document = ?,
              receipt_id = COALESCE(?, receipt_id), changed_at = ?, event_id = ?, causation_id = ?
            WHERE purchase_id = ? AND environment = ? AND bundle_id = ? AND buyer_id = ?
              AND state = ? AND signed_date = ?
            """,
            try content(of: record) + [
                .text(facts.purchaseId.rawValue), .text(facts.environment.rawValue),
                .text(facts.bundleId.rawValue), .text(record.grant.buyerId.rawValue),
                .text(known.grant.state.name), .integer(known.facts.signedDate.milliseconds),
            ]
        )
        guard changed == 1 else { throw StoreError.corrupt("a grant is not in the state it was read in") }
    }

    private func content(of record: GrantRecord) throws -> [Value] {
        [
            .text(record.order.orderId.rawValue), .integer(record.facts.signedDate.milliseconds),
            .text(record.grant.state.name), Value(record.grant.state.reason), .text(try record.document()),
            Value(record.receiptId?.rawValue), .integer(record.changedAt.milliseconds),
            .text(record.eventId.rawValue), Value(record.causationId?.rawValue),
        ]
    }

    /// Everything known of purchases with this id, in whatever environment and app.
    func records(purchaseId: String) throws(StoreError) -> [GrantRecord] {
        let sql = "SELECT \(GrantRecord.columns) FROM grants WHERE purchase_id = ?"
        return try connection.rows(sql, [.text(purchaseId)]).map(GrantRecord.init)
    }

    /// Those of the newest purchases, as Apple counts them, whose grants a request or its cause has changed.
    func records(naming event: String) throws(StoreError) -> [GrantRecord] {
        try connection.rows(
            """
            SELECT \(GrantRecord.columns) FROM (
              SELECT \(GrantRecord.columns) FROM grants
              ORDER BY purchase_id DESC, environment DESC, bundle_id DESC LIMIT ?
            ) AS newest
            WHERE ? IN (event_id, causation_id)
            """,
            [.integer(EventSearch.maximumRows), .text(event)]
        ).map(GrantRecord.init)
    }

    /// The next `limit` records of all, in the order of their keys, after the given one; of the first if it is empty.
    func page(after key: [String], limit: Int) throws(StoreError) -> [GrantRecord] {
        try connection.rows(
            """
            SELECT \(GrantRecord.columns) FROM grants WHERE (purchase_id, environment, bundle_id) > (?, ?, ?)
            ORDER BY purchase_id, environment, bundle_id LIMIT ?
            """,
            (key.isEmpty ? ["", "", ""] : key).map(Value.text) + [.integer(Int64(limit))]
        ).map(GrantRecord.init)
    }

    /// The next `limit` grants that wait for an operator, in the order of their keys, after the given one.
    func parked(after key: [String], limit: Int) throws(StoreError) -> [GrantRecord] {
        try connection.rows(
            """
            SELECT \(GrantRecord.columns) FROM grants
            WHERE state = 'parked' AND (purchase_id, environment, bundle_id) > (?, ?, ?)
            ORDER BY purchase_id, environment, bundle_id LIMIT ?
            """,
            (key.isEmpty ? ["", "", ""] : key).map(Value.text) + [.integer(Int64(limit))]
        ).map(GrantRecord.init)
    }

    /// How many grants wait for an operator, and since when the oldest does.
    func parked() throws(StoreError) -> (count: Int, oldest: Timestamp?) {
        let row = try connection.row("SELECT COUNT(*), MIN(changed_at) FROM grants WHERE state = 'parked'")
        let oldest = try row?.optionalInteger(1)
        return (try row?.int(0) ?? 0, oldest.map(Timestamp.init(milliseconds:)))
    }
}

extension GrantRecord {
    /// How many columns `key` has.
    static let keyColumns = 3

    /// The columns of the primary key.
    var key: [String] {
        [facts.purchaseId.rawValue, facts.environment.rawValue, facts.bundleId.rawValue]
    }
}
