import Database
import Glibc

/// A partition's open store, with the right to write it.
struct OwnedStore {
    let database: SQLiteDatabase
    private let partition: any OwnedPartition

    /// Opens the store at `path`; a long log is moved into it first.
    ///
    /// - Throws: `StoreError`.
    init(path: String, identity: PartitionIdentity, of partition: any OwnedPartition) throws {
        self.partition = partition
        var log = stat()
        let isLong = stat("\(path)-wal", &log) == 0 && log.st_size > SQLiteDatabase.checkpointThresholdBytes
        database = try SQLiteDatabase(path: path)
        try database.raiseFence(label: identity.label)
        if isLong { try database.checkpoint() }
    }

    /// Fails when lock or store changed hands.
    ///
    /// - Throws: `StoreError.replaced`.
    func verify() throws {
        guard partition.isStillOwned else { throw StoreError.replaced("the lock was removed or replaced") }
        try database.verifyFiles()
    }

    /// Closes the store, unless it changed hands: closing removes the log at the path, which may be another owner's.
    ///
    /// - Throws: `StoreError`.
    func close() throws {
        try verify()
        try database.close()
    }
}
