import Database

/// A process died; what it had not committed is gone.
struct GroupCrash: Error {}

/// The store of a simulated partition: it outlives its owners, and may go wrong at every COMMIT.
///
/// Some lie behind a commit log. Of those that crash before their COMMIT every other one has its entry in the log then,
/// and nobody was told.
final class GroupStore: Database {
    /// What a change that fails says.
    static let fault = "a fault of the simulation"

    /// What goes wrong at a coming write.
    enum StoreFault {
        /// The owner dies when everything is written and nothing is durable.
        case crash
        /// Nothing is kept, though the owner is told that it was: what no store may do.
        case lie
        /// A statement of a handler fails.
        case failure
        /// Everything is kept here, and the log has no entry of it: what no store with a log may do.
        case unlogged
    }

    enum FullDisk: CaseIterable {
        /// No write even begins.
        case all
        /// No write can be committed.
        case atCommit
        /// There is room for a little: every other write finds it.
        case everyOther
    }

    private struct Lie: Error {}

    private var store: SQLiteDatabase
    /// What goes wrong, after how many more writes.
    var storeFault: (what: StoreFault, after: Int)?
    /// Which writes fail for want of room; nil while there is enough.
    var fullDisk: FullDisk?
    private var writes = 0
    /// Nil without a log.
    private let log: GroupLog?

    init(isReplicated: Bool = false) throws {
        store = try SQLiteDatabase(path: ":memory:", isRecorded: isReplicated)
        log = isReplicated ? try GroupLog(of: store) : nil
    }

    @discardableResult
    func write<Value>(_ body: (any Connection) throws -> Value) throws -> Value {
        writes += 1
        if fullDisk == .all { throw StoreError.full }
        let isShort = fullDisk == .atCommit || fullDisk == .everyOther && writes.isMultiple(of: 2)
        let fault = isShort ? StoreError.full : nil
        switch due() {
        case nil: return try write(body, atCommit: fault)
        case .crash: return try crash(body)
        case .lie: return try lie(body)
        case .unlogged: return try store.write(body)
        case .failure: return try write({ try body(FailingConnection($0)) }, atCommit: fault)
        }
    }

    private func due() -> StoreFault? {
        guard let storeFault else { return nil }
        guard storeFault.after > 0 else {
            self.storeFault = nil
            return storeFault.what
        }
        self.storeFault = (storeFault.what, storeFault.after - 1)
        return nil
    }

    private func write<Value>(
        _ body: (any Connection) throws -> Value,
        atCommit fault: (any Error)?
    ) throws -> Value {
        try database.write { connection in
            let value = try body(connection)
            if let fault { throw fault }
            return value
        }
    }

    private var database: any Database {
        if let log { return log.database }
        return store
    }

    private func crash<Value>(_ body: (any Connection) throws -> Value) throws -> Value {
        guard let log, log.isDueToKeepEntry() else { return try write(body, atCommit: GroupCrash()) }
        try log.appendAndDie(body)
        throw GroupCrash()
    }

    /// The store has a new owner, which claims its log.
    func claim() throws { try log?.claim() }

    /// Whether it lies behind a log.
    var isReplicated: Bool { log != nil }

    /// Puts a snapshot of it into its log, if it has one.
    func takeSnapshot() throws { try log?.takeSnapshot() }

    /// Where the store differs from what its log makes; nil if it does not, or has none.
    ///
    /// It is asked once, because the log is pruned for the answer.
    func differenceFromLog() throws -> String? { try log?.difference() }

    private func lie<Value>(_ body: (any Connection) throws -> Value) throws -> Value {
        var kept: Value?
        do {
            try store.write { connection in
                kept = try body(connection)
                throw Lie()
            }
        } catch is Lie {}
        guard let kept else { throw GroupCrash() }
        return kept
    }

    /// Reads beside the owner; what goes wrong with writes does not touch it.
    func read(_ sql: SQL) throws -> [Row] { try store.write { try $0.rows(sql) } }

    func backUp() throws -> GroupBackup { try store.write { try GroupBackup($0) } }

    /// Brings an older copy back in place of what is here.
    ///
    /// Behind a log that is an operation on the log, which there is not yet.
    func restore(_ backup: GroupBackup) throws {
        guard log == nil else { throw StoreError.failed("the store of a log is restored without it") }
        store = try SQLiteDatabase(path: ":memory:")
        try store.write { try backup.write(to: $0) }
    }

    var counts: StoreCounts { store.counts }
    func checkpoint() throws {}
    func close() throws {}
}

/// A connection on which the first change that a handler makes fails.
private final class FailingConnection: Connection {
    /// Tables that no handler changes.
    private static let delivery = [
        "outbox", "link_out", "link_in", "link_redrive", "trace_entry", "delayed_event", "dead_letter",
        "suspect",
        "parked_work", "partition_owner",
        "schema_version",
    ]

    private let connection: any Connection
    private var hasFailed = false

    init(_ connection: any Connection) { self.connection = connection }

    func execute(_ sql: String, _ values: [Value]) throws(StoreError) -> Int {
        let isHandlers = !Self.delivery.contains { sql.contains($0) } && !sql.hasPrefix("CREATE")
        if isHandlers, !hasFailed {
            hasFailed = true
            throw .corrupt(GroupStore.fault)
        }
        return try connection.execute(sql, values)
    }

    func rows(_ sql: String, _ values: [Value]) throws(StoreError) -> [Row] {
        try connection.rows(sql, values)
    }
}
