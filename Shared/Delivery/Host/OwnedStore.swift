package import Database
import Glibc
import ZeroMQ

/// A partition's open store, with the right to write it.
struct OwnedStore {
    /// The store is a copy of what a commit log holds, and the home names none.
    struct WithoutLog: Error, CustomStringConvertible {
        let description =
            "is a copy of what a commit log holds, and the home has none now: put `store` back into counterfoil.json "
            + "as it was, or end a `counterfoil move` that was interrupted"
    }

    /// What is written: the file, or the file behind its log.
    let database: any Database
    /// The store's file.
    let file: SQLiteDatabase
    /// Nil where the partition has no log.
    let owner: LogOwner?
    private let partition: any OwnedPartition

    /// Opens the store at `path`; a long log is moved into it first.
    ///
    /// - Throws: `WithoutLog`, `StoreError`.
    init(path: String, identity: PartitionIdentity, of partition: any OwnedPartition) throws {
        self.partition = partition
        let (isLong, store) = (Self.isLong(path), try SQLiteDatabase(path: path))
        try Self.raise(store, identity, isLong: isLong)
        guard try !Self.isCopy(store) else { throw WithoutLog() }
        file = store
        database = file
        owner = nil
    }

    /// Makes the store at `path` from its log if it cannot follow, opens it, and claims the partition.
    ///
    /// - Throws: `LogFollowerFault` if the log has lost what the store holds, or never had it; `StoreError.taken` if
    ///   another host has claimed the partition; `LogFault`, `StoreError`.
    init(
        path: String,
        identity: PartitionIdentity,
        of partition: any OwnedPartition,
        after lapse: OwnerWatch.Lapse,
        log: any PartitionLog,
        endpoint: Endpoint,
        _ process: LogOwner.Process
    ) throws {
        self.partition = partition
        let copy = LocalCopy(at: path, of: log.commits)
        _ = try copy.prepare()
        let claimed: (file: SQLiteDatabase, owner: LogOwner)
        do {
            claimed = try Self.claim(path, identity, lapse, log, endpoint, process)
        } catch  where LocalCopy.isUnfit(error) {
            process.alarm("this host's copy does not fit its log, and is made anew: \(error)")
            LocalCopy.putAside(path)
            _ = try copy.prepare()
            claimed = try Self.claim(path, identity, lapse, log, endpoint, process)
        }
        file = claimed.file
        owner = claimed.owner
        database = claimed.owner.database
    }

    private static func claim(
        _ path: String,
        _ identity: PartitionIdentity,
        _ lapse: OwnerWatch.Lapse,
        _ log: any PartitionLog,
        _ endpoint: Endpoint,
        _ process: LogOwner.Process
    ) throws -> (file: SQLiteDatabase, owner: LogOwner) {
        let isLong = isLong(path)
        let store = try SQLiteDatabase(path: path, isRecorded: true, synchronous: .normal)
        try raise(store, identity, isLong: isLong)
        let owner = try LogOwner(store, at: path, log: log, endpoint: endpoint, process)
        var random = SystemRandomNumberGenerator()
        let claimant = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        try owner.claim(after: lapse, claimant: claimant)
        return (store, owner)
    }

    /// Whether a log has made the store, or an owner that had one.
    ///
    /// A follower that was refused leaves an empty table in a store that no log has made.
    private static func isCopy(_ store: SQLiteDatabase) throws -> Bool {
        try store.write { connection in
            let table = try connection.row("SELECT 1 FROM sqlite_schema WHERE name = 'log_position'")
            return try table != nil && connection.row("SELECT 1 FROM log_position") != nil
        }
    }

    /// Asked before the store is opened.
    private static func isLong(_ path: String) -> Bool {
        var log = stat()
        return stat("\(path)-wal", &log) == 0 && log.st_size > SQLiteDatabase.checkpointThresholdBytes
    }

    private static func raise(
        _ store: SQLiteDatabase,
        _ identity: PartitionIdentity,
        isLong: Bool
    ) throws {
        try store.raiseFence(label: identity.label)
        if isLong { try store.checkpoint() }
    }

    /// Fails when lock, store or log changed hands, and tells the log that this owner lives.
    ///
    /// - Throws: `StoreError.replaced`.
    func verify() throws {
        try verifyFiles()
        try owner?.renew()
    }

    private func verifyFiles() throws {
        guard partition.isStillOwned else { throw StoreError.replaced("the lock was removed or replaced") }
        try file.verifyFiles()
    }

    /// Closes the store, unless it changed hands: closing removes the log at the path, which may be another owner's.
    ///
    /// - Throws: `StoreError`.
    func close() throws {
        try verifyFiles()
        owner?.giveUp()
        try database.close()
        try owner?.leave()
    }
}

extension LogFollowerFault {
    /// What is wrong, for people.
    package var text: String {
        switch self {
        case .behind(let log, let store):
            "the log ends at \(log.position), and a copy of the store has its entry \(store.position): the log has "
                + "lost what it had acknowledged"
        case .diverged(let log, let store):
            "the log's entry \(log.position) is of epoch \(log.epoch), and a copy of the store is at "
                + "\(store.position) of epoch \(store.epoch): the log has lost that, and went on without it"
        case .foreign:
            "was made without a commit log, and the home has one now: take `store` out of counterfoil.json, and let "
                + "`counterfoil move` put it in"
        }
    }
}
