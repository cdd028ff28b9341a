package import Database

extension LogConnection {
    private static let standbyQuery = """
        SELECT coalesce(application_name, ''), coalesce(sync_state, ''),
            pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)::bigint
        FROM pg_stat_replication WHERE state IS NULL OR state = 'streaming' ORDER BY 1
        """

    /// The servers that follow the primary now, and how many bytes of its own log are not durable on each.
    ///
    /// Without `pg_read_all_stats` a user sees only how many there are: names and states are empty, bytes nil.
    ///
    /// - Throws: `LogFault`, also of an engine that does not know such a table.
    package func standbys() throws(LogFault) -> [(name: String, state: String, lagBytes: Int64?)] {
        let reply = try call(Self.standbyQuery, [])
        return reply.rows.indices.map { row in
            (reply.text(0, ofRow: row) ?? "", reply.text(1, ofRow: row) ?? "", reply.number(2, ofRow: row))
        }
    }
}
