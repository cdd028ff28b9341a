import Contracts
import Database
import Delivery

/// What ledgers have told of compensations, for the time when one of them is put back from a backup.
struct KeptCompensationStore {
    static let pageRows = 500

    let connection: any Connection

    /// Keeps the newest of what is told: one that has ended stays so, whatever comes late.
    func keep(_ compensation: CompensationV1) throws {
        try connection.execute(
            """
            INSERT INTO kept_compensation (proposal_id, is_ended, document)
            VALUES (\(compensation.proposalId), \(compensation.endedAt != nil), \(try JSONColumn.text(compensation)))
            ON CONFLICT (proposal_id) DO UPDATE SET is_ended = excluded.is_ended, document = excluded.document
            WHERE kept_compensation.is_ended = 0
            """
        )
    }

    /// The next ones after a proposal; from the first if that is empty.
    func page(after proposal: String) throws(StoreError) -> [CompensationV1] {
        try connection.rows(
            """
            SELECT document FROM kept_compensation WHERE proposal_id > \(proposal)
            ORDER BY proposal_id LIMIT \(Self.pageRows)
            """
        ) { row throws(StoreError) in try JSONColumn.value(of: row["document"]) }
    }
}
