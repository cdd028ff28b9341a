/// A store that is made by the entries of a partition's log: a copy of the owner's.
///
/// What it has applied stands in a row of the store, changed in the same transaction, and so does which history of
/// which database that came from: no process may go on from a former primary that it meets first.
package final class LogFollower {
    private static let table = """
        CREATE TABLE IF NOT EXISTS log_position (
          only INTEGER NOT NULL PRIMARY KEY CONSTRAINT one_position CHECK (only = 1),
          position INTEGER NOT NULL,
          epoch INTEGER NOT NULL,
          system INTEGER,
          timeline INTEGER
        ) STRICT
        """
    /// How much is read of a log at once.
    private static let bytesAtOnce = 16 << 20

    let store: SQLiteDatabase
    /// Nil until something is applied, and when the follower has stopped.
    private var applier: RowApplier?
    /// The last entry that is in the store.
    package private(set) var head = LogHead.empty
    /// What the log had said of itself when the store was written last.
    private(set) var lineage: LogLineage?

    /// Reads what the store has applied.
    ///
    /// - Throws: `StoreError`.
    package init(_ store: SQLiteDatabase) throws {
        self.store = store
        (head, lineage) = try store.write { connection in
            try connection.execute(Self.table, [])
            let row = try connection.row("SELECT position, epoch, system, timeline FROM log_position")
            guard let row else { return (.empty, nil) }
            let lineage: LogLineage? =
                if let system = try row["system"] as Int64?, let timeline = try row["timeline"] as Int64? {
                    LogLineage(system: system, timeline: timeline)
                } else { nil }
            return (LogHead(position: try row["position"], epoch: try row["epoch"]), lineage)
        }
    }

    /// Notes, inside a transaction, that the store holds the log up to `head`, and what is known of the log.
    static func note(
        _ head: LogHead,
        of lineage: LogLineage? = nil,
        _ connection: any Connection
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO log_position (only, position, epoch, system, timeline)
            VALUES (1, \(head.position), \(head.epoch), \(lineage?.system), \(lineage?.timeline))
            ON CONFLICT (only) DO UPDATE SET position = excluded.position, epoch = excluded.epoch,
              system = coalesce(excluded.system, system), timeline = coalesce(excluded.timeline, timeline)
            """
        )
    }

    /// Notes, inside a transaction, that the store is no more what its log makes, as after it was restored.
    ///
    /// From then on it follows no log: it would be rolled forward to what was undone.
    ///
    /// - Throws: `StoreError`.
    package static func forget(_ connection: any Connection) throws(StoreError) {
        try connection.execute("DROP TABLE IF EXISTS log_position")
    }

    /// An entry is in the store: the owner has committed it.
    func noteCommitted(_ head: LogHead) { self.head = head }

    /// Applies what the log holds beyond the store.
    ///
    /// - Throws: `LogFollowerFault`, `RowChangesFault`, `LogFault` or `StoreError`.
    package func catchUp(with log: any CommitLog) throws {
        if let lineage { log.expect(lineage) }
        try checkOrigin()
        try compare(with: log)
        while true {
            let entries = try log.entries(from: head.position + 1, maximumBytes: Self.bytesAtOnce)
            if entries.isEmpty { return }
            try apply(entries, of: log.lineage)
        }
    }

    /// Fails for a store that has rows and does not say which entries made them: no log leads to it.
    ///
    /// Such are a backup of a home without a log, and a store from before there was one.
    func checkOrigin() throws {
        guard head == .empty else { return }
        let tables = try store.transaction { try StoreShape($0).tables }
        if let table = tables.first { throw LogFollowerFault.foreign(table: table.name) }
    }

    /// Fails unless the log holds the last entry that is in the store.
    private func compare(with log: any CommitLog) throws {
        guard head.position > 0 else { return }
        guard let entry = try log.entries(from: head.position, maximumBytes: 1).first else {
            throw LogFollowerFault.behind(log: try log.head(), store: head)
        }
        guard entry.head == head else { throw LogFollowerFault.diverged(log: entry.head, store: head) }
    }

    /// Applies entries that follow each other, in one transaction.
    ///
    /// From the first of them on the store's triggers rest, until `stop`.
    ///
    /// - Throws: `LogFollowerFault`, `RowChangesFault` or `StoreError`; then the store is as it was.
    package func apply(_ entries: [LogEntry], of lineage: LogLineage? = nil) throws {
        let applier = try applier ?? begin()
        do {
            head = try store.transaction { connection in
                var last = head
                for entry in entries {
                    guard entry.follows(last) else {
                        throw LogFollowerFault.diverged(log: entry.head, store: last)
                    }
                    if entry.kind != .claim { try applier.apply(entry.bytes) }
                    last = entry.head
                }
                try Self.note(last, of: lineage, connection)
                return last
            }
        } catch {
            applier.forget()
            throw error
        }
    }

    private func begin() throws -> RowApplier {
        let connection = try store.connection
        try connection.runTriggers(false)
        let applier = RowApplier(connection)
        self.applier = applier
        return applier
    }

    /// Gives the store back to its owner: its triggers run again, and it can be closed.
    ///
    /// - Throws: `StoreError`.
    package func stop() throws {
        guard applier != nil else { return }
        applier = nil
        try store.connection.runTriggers(true)
    }
}
