import Contracts
import Database

/// The progress of a partition's redrives.
///
/// Written in the transaction that sends a page, so that a successor continues exactly there.
struct RedriveStore {
    let connection: any Connection

    struct Redrive: Equatable {
        let link: Int64
        /// The operator's request, the cause of the events that are sent again.
        let requestID: EventID
        /// The key of the last row sent, column by column; empty before the first page.
        var key: [String] = []
        var rows = 0
        let startedAt: Timestamp
        var finishedAt: Timestamp?
        /// Why it stopped; the operator requests another one after the repair.
        var failure: String?

        var isUnderWay: Bool { finishedAt == nil && failure == nil }
    }

    func redrives() throws -> [Redrive] {
        try connection.rows("SELECT * FROM link_redrive").map { row in
            Redrive(
                link: try row["link"],
                requestID: try row["request_id"],
                key: try JSONColumn.value(of: row["after_key"]),
                rows: try row["row_count"],
                startedAt: try row["started_at"],
                finishedAt: try row["finished_at"],
                failure: try row["failure"]
            )
        }
    }

    func begin(_ redrive: Redrive) throws {
        try connection.execute("DELETE FROM link_redrive WHERE link = \(redrive.link)")
        try connection.execute(
            """
            INSERT INTO link_redrive (link, request_id, after_key, row_count, started_at)
            VALUES (\(redrive.link), \(redrive.requestID), \(try JSONColumn.text(redrive.key)), \(redrive.rows),
              \(redrive.startedAt))
            """
        )
    }

    /// Fails when the redrive has moved since `former`.
    func advance(_ redrive: Redrive, from former: Redrive) throws {
        let changed = try connection.execute(
            """
            UPDATE link_redrive SET after_key = \(try JSONColumn.text(redrive.key)), row_count = \(redrive.rows),
              finished_at = \(redrive.finishedAt), failure = \(redrive.failure)
            WHERE link = \(redrive.link) AND after_key = \(try JSONColumn.text(former.key))
              AND finished_at IS NULL AND failure IS NULL
            """
        )
        guard changed == 1 else { throw StoreError.corrupt("a redrive is not where it was read") }
    }
}
