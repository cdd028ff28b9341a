import Contracts
import Database
import Foundation

/// How far the redrives of a partition's links have come.
///
/// The place is written in the transaction that sends a page, so that a successor goes on exactly there.
struct RedriveStore {
    let connection: any Connection

    /// One redrive, under way or ended.
    struct Redrive: Equatable {
        let link: Int64
        /// The request of the operator; the events that are sent again name it as their cause.
        let requestID: EventID
        /// The key of the last row that was sent again, column by column; empty before the first page.
        var key: [String] = []
        var rows = 0
        let startedAt: Timestamp
        var finishedAt: Timestamp?
        /// Why it cannot go on; the operator asks for another one once that is mended.
        var failure: String?

        var isUnderWay: Bool { finishedAt == nil && failure == nil }
    }

    func redrives() throws -> [Redrive] {
        try connection.rows("SELECT * FROM link_redrive").map { row in
            Redrive(
                link: try row["link"],
                requestID: try row["request_id"],
                key: try Self.key(row["after_key"]),
                rows: try row["row_count"],
                startedAt: try row["started_at"],
                finishedAt: try row["finished_at"],
                failure: try row["failure"]
            )
        }
    }

    /// Notes a new redrive of a link in place of any former one.
    func begin(_ redrive: Redrive) throws {
        try connection.execute("DELETE FROM link_redrive WHERE link = \(redrive.link)")
        try connection.execute(
            """
            INSERT INTO link_redrive (link, request_id, after_key, row_count, started_at)
            VALUES (\(redrive.link), \(redrive.requestID), \(try Self.text(redrive.key)), \(redrive.rows),
              \(redrive.startedAt))
            """
        )
    }

    /// Moves a redrive on from where it was.
    func advance(_ redrive: Redrive, from former: Redrive) throws {
        let changed = try connection.execute(
            """
            UPDATE link_redrive SET after_key = \(try Self.text(redrive.key)), row_count = \(redrive.rows),
              finished_at = \(redrive.finishedAt), failure = \(redrive.failure)
            WHERE link = \(redrive.link) AND after_key = \(try Self.text(former.key))
              AND finished_at IS NULL AND failure IS NULL
            """
        )
        guard changed == 1 else { throw StoreError.corrupt("a redrive is not where it was read") }
    }

    private static func text(_ key: [String]) throws -> String {
        String(decoding: try EventCoder.encoder().encode(key), as: UTF8.self)
    }

    private static func key(_ text: String) throws -> [String] {
        do {
            return try JSONDecoder().decode([String].self, from: Data(text.utf8))
        } catch {
            throw StoreError.corrupt("link_redrive.after_key")
        }
    }
}
