import Contracts
import Database
import Delivery
import ReceiptsCore

/// The reconciliations that this partition runs, and its transactions that any of them found.
struct ReconciliationStore {
    let connection: any Connection

    /// Retention of a reconciliation, ms: 7 days.
    private static let retention: Int64 = 7 * 24 * 3_600_000
    private static let forgottenAtOnce = 100

    func job(_ id: EventID) throws -> Reconciliation? {
        let row = try connection.row(
            "SELECT content FROM reconciliation WHERE reconciliation_id = ?",
            [.text(id.rawValue)]
        )
        return try row.map { try Self.value($0) }
    }

    func jobs(_ bundleID: BundleID) throws -> [Reconciliation] {
        try connection.rows(
            "SELECT content FROM reconciliation WHERE bundle_id = ?",
            [.text(bundleID.rawValue)]
        )
        .map { try Self.value($0) }
    }

    func save(_ job: Reconciliation, now: Timestamp) throws {
        let bundleID = job.lookup?.step.bundleId.rawValue
        try connection.execute(
            """
            INSERT INTO reconciliation (reconciliation_id, bundle_id, content, started_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (reconciliation_id) DO UPDATE SET bundle_id = excluded.bundle_id, content = excluded.content
            """,
            [
                .text(job.id.rawValue), Value(bundleID), .text(try JSONColumn.text(job)),
                .integer(now.milliseconds),
            ]
        )
    }

    /// Deletes finished jobs, and some transactions of jobs, after their retention.
    func forget(now: Timestamp) throws(StoreError) {
        let end = Value.integer(now.advanced(by: -Self.retention).milliseconds)
        try connection.execute(
            "DELETE FROM reconciliation WHERE started_at < ? AND bundle_id IS NULL",
            [end]
        )
        try connection.execute(
            """
            DELETE FROM found_transaction WHERE (reconciliation_id, name) IN
              (SELECT reconciliation_id, name FROM found_transaction WHERE found_at < ? ORDER BY found_at LIMIT ?)
            """,
            [end, Value(Self.forgottenAtOnce)]
        )
    }

    func found(_ id: EventID, _ facts: TransactionFacts) throws -> FoundTransaction? {
        let row = try connection.row(
            "SELECT content FROM found_transaction WHERE reconciliation_id = ? AND name = ?",
            [.text(id.rawValue), .text(Self.name(facts))]
        )
        return try row.map { try Self.value($0) }
    }

    func save(_ found: FoundTransaction, of id: EventID, now: Timestamp) throws {
        try connection.execute(
            """
            INSERT INTO found_transaction (name, reconciliation_id, content, found_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (reconciliation_id, name) DO UPDATE SET content = excluded.content
            """,
            [
                .text(Self.name(found.facts)), .text(id.rawValue), .text(try JSONColumn.text(found)),
                .integer(now.milliseconds),
            ]
        )
    }

    func transactions(
        of id: EventID,
        after: String?,
        limit: Int
    ) throws -> (found: [FoundTransaction], next: String?) {
        let rows = try connection.rows(
            """
            SELECT content, name FROM found_transaction WHERE reconciliation_id = ? AND name > ?
            ORDER BY name LIMIT ?
            """,
            [.text(id.rawValue), .text(after ?? ""), Value(limit)]
        )
        return (try rows.map { try Self.value($0) }, rows.count == limit ? try rows.last?.text(1) : nil)
    }

    private static func name(_ facts: TransactionFacts) -> String {
        "\(facts.bundleId)/\(facts.environment)/\(facts.transactionId)"
    }

    private static func value<Value: Decodable>(_ row: Row) throws -> Value {
        try JSONColumn.value(of: row.text(0))
    }
}
