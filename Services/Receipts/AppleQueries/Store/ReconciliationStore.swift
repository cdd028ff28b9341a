import Contracts
import Database
import Delivery

/// The reconciliations that this partition runs, and its transactions that any of them found.
struct ReconciliationStore {
    let connection: any Connection

    /// Retention of a reconciliation, ms: 7 days.
    private static let retention: Int64 = 7 * 24 * 3_600_000
    private static let forgottenAtOnce = 100

    func job(_ id: EventID) throws(StoreError) -> Reconciliation? {
        try connection.content("SELECT content FROM reconciliation WHERE reconciliation_id = \(id)")
    }

    /// Those that are under way.
    func jobs(_ bundleID: BundleID) throws(StoreError) -> [DueRow<String, Reconciliation>] {
        try connection.rows(
            "SELECT reconciliation_id, content FROM reconciliation WHERE bundle_id = \(bundleID)"
        ) { row throws(StoreError) -> DueRow<String, Reconciliation> in
            (try row["reconciliation_id"], try StoredContent(row))
        }
    }

    func save(_ job: Reconciliation, now: Timestamp) throws {
        try connection.execute(
            """
            INSERT INTO reconciliation (reconciliation_id, bundle_id, content, started_at)
            VALUES (\(job.id), \(job.lookup?.step.bundleId), \(try JSONColumn.text(job)), \(now))
            ON CONFLICT (reconciliation_id)
              DO UPDATE SET bundle_id = excluded.bundle_id, content = excluded.content
            """
        )
    }

    /// Deletes finished jobs, and some transactions of jobs, after their retention.
    func forget(now: Timestamp) throws(StoreError) {
        let end = now.advanced(by: -Self.retention)
        try connection.execute(
            "DELETE FROM reconciliation WHERE started_at < \(end) AND bundle_id IS NULL"
        )
        try connection.execute(
            """
            DELETE FROM found_transaction WHERE (reconciliation_id, name) IN
              (SELECT reconciliation_id, name FROM found_transaction WHERE found_at < \(end)
              ORDER BY found_at LIMIT \(Self.forgottenAtOnce))
            """
        )
    }

    func found(_ id: EventID, _ facts: TransactionFacts) throws(StoreError) -> FoundTransaction? {
        try connection.content(
            "SELECT content FROM found_transaction WHERE reconciliation_id = \(id) AND name = \(Self.name(facts))"
        )
    }

    func save(_ found: FoundTransaction, of id: EventID, now: Timestamp) throws {
        try connection.execute(
            """
            INSERT INTO found_transaction (name, reconciliation_id, content, found_at)
            VALUES (\(Self.name(found.facts)), \(id), \(try JSONColumn.text(found)), \(now))
            ON CONFLICT (reconciliation_id, name) DO UPDATE SET content = excluded.content
            """
        )
    }

    func transactions(
        of id: EventID,
        after: String?,
        limit: Int
    ) throws(StoreError) -> (found: [FoundTransaction], next: String?) {
        let found: [FoundTransaction] = try connection.rows(
            """
            SELECT content FROM found_transaction
            WHERE reconciliation_id = \(id) AND name > \(after ?? "") ORDER BY name LIMIT \(limit)
            """
        ) { row throws(StoreError) in try JSONColumn.value(of: row["content"]) }
        return (found, found.count == limit ? found.last.map { Self.name($0.facts) } : nil)
    }

    private static func name(_ facts: TransactionFacts) -> String {
        "\(facts.bundleId)/\(facts.environment)/\(facts.transactionId)"
    }
}
