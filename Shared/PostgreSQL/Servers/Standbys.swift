package import Database

/// A server that follows the primary.
package struct Standby: Hashable, Sendable {
    /// Its `application_name`; empty if the primary does not tell this user.
    package let name: String
    /// `sync`, `quorum`, `potential` or `async`; empty if the primary does not tell this user.
    package let state: String
    /// Bytes of the primary's own log that are not durable there yet; nil if the primary does not tell.
    package let lag: Int64?

    package init(name: String, state: String, lag: Int64?) {
        self.name = name
        self.state = state
        self.lag = lag
    }

    private static let query = """
        SELECT coalesce(application_name, ''), coalesce(sync_state, ''),
            pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)::bigint
        FROM pg_stat_replication WHERE state IS NULL OR state = 'streaming' ORDER BY 1
        """

    /// The servers that follow the primary of a connection now.
    ///
    /// Without `pg_read_all_stats` a user sees only how many there are.
    ///
    /// - Throws: `LogFault`, also of an engine that does not know such a table.
    package static func all(of connection: LogConnection) throws(LogFault) -> [Standby] {
        let reply = try connection.call(query, [])
        return reply.rows.indices.map { row in
            Standby(
                name: reply.text(0, ofRow: row) ?? "",
                state: reply.text(1, ofRow: row) ?? "",
                lag: reply.number(2, ofRow: row)
            )
        }
    }
}
