import Database
import Foundation

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

    /// Puts a snapshot of the store into the log, between two transactions.
    func takeSnapshot() throws {
        let folder = try LogFolder()
        defer { withExtendedLifetime(folder) {} }
        var limits = LogSnapshotter.Limits()
        // Whatever was appended is enough.
        (limits.leastBytes, limits.storeFactor) = (0, 0)
        let snapshotter = LogSnapshotter(of: folder.store, log: log, limits: limits)
        repeat {
            if let problem = snapshotter.turn(database) { throw StoreError.failed(problem) }
        } while snapshotter.isBusy
    }

    /// Where the store differs from one that all entries make, or from one of the snapshot and what follows it.
    ///
    /// What lies before the snapshot is gone from the log afterwards.
    func difference() throws -> String? {
        let whole = try SQLiteDatabase(path: ":memory:")
        if let difference = try difference(from: whole) { return difference }
        guard let snapshot = try log.snapshots().first else { return nil }
        try log.prune(below: snapshot.head.position)
        let folder = try LogFolder()
        defer { withExtendedLifetime(folder) {} }
        guard try LocalCopy(at: folder.store, of: log).prepare() == .snapshot(snapshot.head) else {
            return "nothing is made of the snapshot at \(snapshot.head.position)"
        }
        let tail = try SQLiteDatabase(path: folder.store, synchronous: .normal)
        return try difference(from: tail).map { "after the snapshot at \(snapshot.head.position): \($0)" }
    }

    /// The copy applies what the log has beyond it first; an entry that does not fit it is a difference, too.
    private func difference(from copy: SQLiteDatabase) throws -> String? {
        let follower = try LogFollower(copy)
        do {
            try follower.catchUp(with: log)
        } catch let fault as RowChangesFault {
            return "an entry does not fit: \(fault)"
        }
        try follower.stop()
        return try StoreComparison.firstDifference(store, copy)
    }
}

/// A folder for one copy of a store; it is gone with its last user.
private final class LogFolder {
    private let url: URL

    var store: String { url.appending(path: "store").path(percentEncoded: false) }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "group-log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: url) } catch { print("the folder stays: \(error)") }
    }
}
