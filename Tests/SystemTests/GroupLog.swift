import Database

/// The commit log of a simulated partition's store, and the owner of the day.
final class GroupLog {
    private let log = MemoryLog()
    private let store: SQLiteDatabase
    private(set) var database: ReplicatedDatabase
    private var owners: UInt8 = 0
    private var crashes = 0
    private var hasEnded = false

    /// Begins the log of a store, which is empty, and claims it.
    init(of store: SQLiteDatabase) throws {
        self.store = store
        let settings = ReplicatedDatabase.Settings(repeats: { _, _ in false }, end: { _ in })
        database = try ReplicatedDatabase(store, log: log, settings: settings)
        try database.claim([owners])
    }

    /// Another owner takes the store as it lies there, and applies what is in the log alone.
    func claim() throws {
        owners &+= 1
        hasEnded = false
        let settings = ReplicatedDatabase.Settings(
            repeats: { _, _ in false },
            end: { [unowned self] _ in hasEnded = true }
        )
        database = try ReplicatedDatabase(store, log: log, settings: settings)
        try database.claim([owners])
    }

    /// Whether it is the turn of a crash that leaves its entry in the log.
    func isDueToKeepEntry() -> Bool {
        crashes += 1
        return crashes.isMultiple(of: 2)
    }

    /// Has the entry of a transaction in the log, whose acknowledgement its owner does not live to see.
    ///
    /// - Throws: what `body` throws.
    func appendAndDie<Value>(_ body: (any Connection) throws -> Value) throws {
        log.trouble = { _ in .unacknowledged }
        defer { log.trouble = { _ in nil } }
        do { _ = try database.write(body) } catch  where hasEnded {}
    }

    /// Where the store differs from one that the log makes.
    func difference() throws -> String? {
        let copy = try SQLiteDatabase(path: ":memory:")
        try LogFollower(copy).catchUp(with: log)
        return try StoreComparison.firstDifference(store, copy)
    }
}
