import Foundation

/// The embedded engine: SQLite in WAL mode with `synchronous=FULL`.
package final class SQLiteDatabase: Database {
    /// A larger log, left by a killed owner, is moved into the main file before the store opens.
    package static let checkpointThresholdBytes = 16 << 20
    static let automaticCheckpointPages = 4_000

    private let path: String
    /// Nil once the store is closed.
    private var open: SQLiteConnection?
    private var fence: StoreFence?
    private var pageCache: PageCache
    private var commits = 0
    private var commitTime = Duration.zero

    /// Opens or creates the store at `path`; fails also when the file system does not grant WAL with full
    /// synchronisation.
    package init(path: String) throws(StoreError) {
        let connection = try SQLiteConnection(path: path)
        for setting in [
            // The owner alone opens the store, and so needs no shared memory and no lock for each transaction.
            "locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL",
            "wal_autocheckpoint = \(Self.automaticCheckpointPages)", "temp_store = MEMORY",
        ] {
            try connection.execute("PRAGMA \(setting)", [])
        }
        self.path = path
        open = connection
        pageCache = try PageCache(connection)
        if path != ":memory:" { try Self.assertDurable(connection) }
    }

    private static func assertDurable(_ connection: SQLiteConnection) throws(StoreError) {
        let mode: String? = try connection.value("PRAGMA journal_mode")
        let synchronous: Int? = try connection.value("PRAGMA synchronous")
        guard mode == "wal", synchronous == 2 else {
            throw .failed("the store runs with journal_mode \(mode ?? "?"), synchronous \(synchronous ?? -1)")
        }
    }

    private var connection: SQLiteConnection {
        get throws(StoreError) {
            guard let open else { throw .failed("\(path) is closed") }
            return open
        }
    }

    @discardableResult
    package func write<Value>(_ body: (any Connection) throws -> Value) throws -> Value {
        let connection = try connection
        try guarded { () throws(StoreError) in try fence?.check() }
        try pageCache.noteWrite(connection)
        try connection.execute("BEGIN IMMEDIATE", [])
        let changes = connection.changes
        let value: Value
        do {
            try fence?.begin(connection)
            value = try body(connection)
            try commit(connection, hasChanged: connection.changes != changes)
        } catch {
            try connection.rollback()
            try fence?.end(committed: false)
            throw error
        }
        try fence?.end(committed: true)
        return value
    }

    private func commit(_ connection: SQLiteConnection, hasChanged: Bool) throws(StoreError) {
        let start = ContinuousClock.now
        try connection.execute("COMMIT", [])
        connection.countPages()
        guard hasChanged else { return }
        commits += 1
        commitTime += ContinuousClock.now - start
    }

    /// What the store has done since it was opened.
    package var counts: StoreCounts {
        StoreCounts(
            commits: commits,
            commitMicroseconds: Int(commitTime / .microseconds(1)),
            statements: open?.statementsRun ?? 0,
            pagesWritten: open?.pagesWritten ?? 0
        )
    }

    package func checkpoint() throws {
        try guarded { () throws(StoreError) in try fence?.check() }
        let connection = try connection
        try connection.checkpoint()
        connection.countPages()
        try fence?.end(committed: false)
    }

    package func close() throws {
        open = nil
        fence = nil
    }

    // MARK: The fence

    /// Starts to verify that the files stay this owner's; the owner holds the store's lock.
    ///
    /// `label` goes into the file's header, where it can be read without opening the store.
    ///
    /// - Throws: `StoreError.replaced` when the log does not belong to the file; both stay unchanged.
    package func raiseFence(label: UInt32) throws {
        try guarded { () throws(StoreError) in
            fence = try StoreFence(path: path, label: label, connection)
        }
    }

    /// Verifies that the files at the store's paths are those that were opened, with the bytes that were written.
    ///
    /// - Throws: `StoreError.replaced`; then nothing may be acknowledged any more.
    package func verifyFiles() throws {
        try guarded { () throws(StoreError) in try fence?.verify() }
    }

    /// If the files were replaced, the store stays open until the process ends: closing it would move its log into a
    /// foreign file.
    private func guarded(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        do {
            try body()
        } catch {
            if case .replaced = error { _ = open.map(Unmanaged.passRetained) }
            throw error
        }
    }

    /// Makes the label readable from the file, which takes one checkpoint in a store's life.
    ///
    /// - Throws: `StoreError`.
    package func publishLabel() throws {
        if let fence, !fence.isLabelled { try checkpoint() }
    }
}
