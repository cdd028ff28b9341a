import Glibc

/// The embedded engine: SQLite in WAL mode, with `synchronous=FULL` unless something else keeps what is committed.
package final class SQLiteDatabase: Database {
    /// A larger WAL, left by a killed owner, is moved into the main file before the store opens.
    package static let checkpointThresholdBytes = 16 << 20
    static let automaticCheckpointPages = 4_000

    /// What a power cut may take.
    package enum Synchronous: Int, Sendable {
        /// The last commits, which are in the partition's log: the store is an older one then, and whole.
        case normal = 1
        /// Nothing that was committed.
        case full = 2

        fileprivate var word: String { self == .full ? "FULL" : "NORMAL" }
    }

    let path: String
    /// Nil once the store is closed.
    private var open: SQLiteConnection?
    private var fence: StoreFence?
    private var pageCache: PageCache
    private var commits = 0
    private var commitTime = Duration.zero

    /// Opens or creates the store at `path`; fails also when the file system does not grant WAL with full
    /// synchronisation.
    ///
    /// An owner says in the main file that it is in use (`declareUse`) before anything is only in the WAL, and takes
    /// that back when everything is in the main file (`close`). So a file in use without a WAL is a copy from which
    /// the last commits are missing. The WAL of a file in use is never empty: nothing truncates it so far.
    ///
    /// Row changes are recorded only if it is asked for here, because that must be known before the first statement.
    ///
    /// - Throws: `StoreError.replaced` for such a copy, which stays unchanged.
    package init(
        path: String,
        isRecorded: Bool = false,
        synchronous: Synchronous = .full
    ) throws(StoreError) {
        try Self.assertWhole(path)
        let connection = try SQLiteConnection(path: path, isRecorded: isRecorded)
        for setting in [
            // The owner alone opens the store, and so needs no shared memory and no lock for each transaction.
            "locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = \(synchronous.word)",
            "wal_autocheckpoint = \(Self.automaticCheckpointPages)", "temp_store = MEMORY",
            "journal_size_limit = \(Self.checkpointThresholdBytes)",
        ] {
            try connection.execute("PRAGMA \(setting)", [])
        }
        self.path = path
        open = connection
        pageCache = try PageCache(connection)
        if path != ":memory:" { try Self.assertDurable(connection, synchronous) }
    }

    private static func assertWhole(_ path: String) throws(StoreError) {
        var wal = stat()
        guard try StoreHeader.read(path: path)?.isInUse == true,
            stat(path + "-wal", &wal) != 0 || wal.st_size == 0
        else { return }
        throw .replaced(
            "\(path) was copied while it was in use, and its log is missing: what was committed last is not in it; "
                + "put the \(path)-wal beside it that was copied with it, or restore a backup with "
                + "`counterfoil restore`"
        )
    }

    private static func assertDurable(
        _ connection: SQLiteConnection,
        _ wanted: Synchronous
    ) throws(StoreError) {
        let mode: String? = try connection.value("PRAGMA journal_mode")
        let found: Int? = try connection.value("PRAGMA synchronous")
        guard mode == "wal", found == wanted.rawValue else {
            throw .failed("the store runs with journal_mode \(mode ?? "?"), synchronous \(found ?? -1)")
        }
    }

    var connection: SQLiteConnection {
        get throws(StoreError) {
            guard let open else { throw .failed("\(path) is closed") }
            return open
        }
    }

    @discardableResult
    package func write<Value>(_ body: (any Connection) throws -> Value) throws -> Value {
        try transaction(body)
    }

    func transaction<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
        let connection = try connection
        try fence?.check()
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

    /// Writes what the open transaction has changed into the WAL, without committing it.
    ///
    /// - Throws: `StoreError.full` where the disk has no room for it.
    func flush() throws(StoreError) { try connection.flush() }

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
        try fence?.check()
        let connection = try connection
        try connection.checkpoint()
        connection.countPages()
        try fence?.end(committed: false)
    }

    /// Moves everything into the main file, says there that it is whole, and removes the WAL.
    ///
    /// Without `close`, main file and WAL stay as a killed owner leaves them.
    package func close() throws {
        guard let connection = open else { return }
        let label = try connection.applicationID
        if label & StoreHeader.inUse != 0 {
            try checkpoint()
            try write { _ = try $0.execute("PRAGMA application_id = \(label & ~StoreHeader.inUse)", []) }
        }
        try connection.keepWAL(false)
        open = nil
        fence = nil
    }

    /// Begins a copy of the store at `path`, where no file is yet.
    ///
    /// - Throws: `StoreError`.
    package func copier(to path: String) throws -> StoreCopier {
        try StoreCopier(of: connection, to: path)
    }

    // MARK: The fence

    /// Starts to verify that the files stay this owner's; the owner holds the store's lock.
    ///
    /// `label` goes into the file's header, where it can be read without opening the store.
    ///
    /// - Throws: `StoreError.replaced` when the WAL does not belong to the file; both stay unchanged.
    package func raiseFence(label: UInt32) throws {
        fence = try StoreFence(path: path, label: label, connection)
    }

    /// Verifies that the files at the store's paths are those that were opened, with the bytes that were written.
    ///
    /// - Throws: `StoreError.replaced`; then nothing may be acknowledged any more.
    package func verifyFiles() throws {
        try fence?.verify()
    }

    /// Says in the main file whose the store is and that it is in use; before anything is acknowledged.
    ///
    /// - Throws: `StoreError`.
    package func declareUse() throws {
        guard let fence else { return }
        try write { try fence.label($0) }
        if !fence.isLabelled { try checkpoint() }
    }
}
