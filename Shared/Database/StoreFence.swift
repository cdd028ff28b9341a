import Glibc

/// Detects that the files of an open store were replaced or overwritten.
///
/// Its descriptors stay open as long as SQLite's: closing one of the main file would drop SQLite's locks on it. A file
/// that was moved or replaced has another inode at its path. One that was overwritten (`cp` keeps the inode) has
/// changed while this process wrote nothing, which is checked before every transaction. The seal detects foreign
/// writes during our own: a random number in the header of the main file, renewed by the first transaction after every
/// checkpoint, and stored in a row as well. The main file holds the row's current seal, or the former one until the
/// WAL is moved into it. A main file with any other seal does not belong to the WAL, whatever SQLite's page cache
/// holds.
final class StoreFence {
    private struct Mark: Equatable {
        let device: UInt
        let inode: UInt
        let bytes: Int
        let seconds: Int
        let nanoseconds: Int

        init(_ status: stat) {
            device = UInt(status.st_dev)
            inode = UInt(status.st_ino)
            bytes = Int(status.st_size)
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }

    private struct File {
        let path: String
        let descriptor: Int32
        var mark: Mark

        init(path: String) throws(StoreError) {
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0, let mark = File.status(descriptor) else {
                throw .failed("\(path): \(String(cString: strerror(errno)))")
            }
            self.path = path
            self.mark = mark
        }

        private static func status(_ descriptor: Int32) -> Mark? {
            var status = stat()
            return fstat(descriptor, &status) == 0 ? Mark(status) : nil
        }

        var current: Mark? { File.status(descriptor) }

        var isAtItsPath: Bool {
            var status = stat()
            guard stat(path, &status) == 0 else { return false }
            let named = Mark(status)
            return named.inode == mark.inode && named.device == mark.device
        }
    }

    private struct Seal: Equatable {
        var current: UInt32
        var former: UInt32
    }

    private static let table = """
        CREATE TABLE IF NOT EXISTS store_seal (
          only INTEGER NOT NULL PRIMARY KEY CONSTRAINT one_seal CHECK (only = 1),
          current INTEGER NOT NULL,
          former INTEGER NOT NULL
        ) STRICT
        """

    private let label: UInt32
    private var main: File
    private var wal: File
    private var seal: Seal?
    private var pending: Seal?
    /// Whether the next transaction begins a generation of the WAL.
    private var wantsSeal = true

    /// Fails with `StoreError.replaced` when the WAL was written for another main file.
    ///
    /// Do not close the store then: SQLite would move the WAL into the foreign file.
    init(path: String, label: UInt32, _ connection: any Connection) throws(StoreError) {
        self.label = label | StoreHeader.inUse
        // Read first: SQLite creates the WAL of a new store on the first read.
        let known = try connection.row(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'store_seal'"
        )
        main = try File(path: path)
        wal = try File(path: path + "-wal")
        guard known != nil, let row = try connection.row("SELECT current, former FROM store_seal") else {
            return
        }
        let seal = Seal(
            current: UInt32(truncatingIfNeeded: try row["current"] as Int64),
            former: UInt32(truncatingIfNeeded: try row["former"] as Int64)
        )
        self.seal = seal
        guard isSealed(seal) else {
            throw .replaced(
                "\(path) was replaced beside an older \(path)-wal; to go on with the file that lies there now, "
                    + "move \(path)-wal and \(path)-shm away; to go back, put the former file in its place"
            )
        }
    }

    deinit {
        close(main.descriptor)
        close(wal.descriptor)
    }

    private var header: StoreHeader? { StoreHeader(descriptor: main.descriptor) }

    /// Whether the main file says whose it is and that it is in use.
    var isLabelled: Bool { header?.applicationID == label }

    private func isSealed(_ seal: Seal) -> Bool {
        let found = header?.userVersion ?? 0
        return found == seal.current || found == seal.former
    }

    /// Verifies, before a transaction, that nobody wrote since our last one.
    func check() throws(StoreError) {
        try check(main)
        try check(wal)
    }

    private func check(_ file: File) throws(StoreError) {
        if file.current != file.mark { throw .replaced("\(file.path) was written by somebody else") }
    }

    /// Verifies, with every heartbeat, that the files are at their paths and the main file is ours.
    func verify() throws(StoreError) {
        try check()
        for file in [main, wal] where !file.isAtItsPath {
            throw .replaced("\(file.path) was moved, removed or replaced")
        }
        if let seal, !isSealed(seal) { throw .replaced("\(main.path) was written over with another store") }
    }

    /// Inside a transaction, renews and stores the seal if a new generation of the WAL begins.
    func begin(_ connection: any Connection) throws(StoreError) {
        pending = nil
        guard wantsSeal else { return }
        let found = header?.userVersion ?? 0
        // The former generation must have reached the file, which would otherwise hold the seal before the former.
        guard found == seal?.current ?? found else { return }
        let next = Seal(current: UInt32.random(in: 1...UInt32(Int32.max)), former: found)
        try connection.execute(Self.table, [])
        try connection.execute(
            """
            INSERT INTO store_seal (only, current, former)
            VALUES (1, \(Int64(next.current)), \(Int64(next.former)))
            ON CONFLICT (only) DO UPDATE SET current = excluded.current, former = excluded.former
            """
        )
        try connection.execute("PRAGMA user_version = \(raw: String(next.current))")
        pending = next
    }

    /// Says in the WAL, if it does not yet, whose the store is and that it is in use.
    func label(_ connection: any Connection) throws(StoreError) {
        let found: Int64? = try connection.value("PRAGMA application_id")
        if found != Int64(label) { try connection.execute("PRAGMA application_id = \(raw: String(label))") }
    }

    /// Records the state of the files after our own transaction, committed or not.
    func end(committed: Bool) throws(StoreError) {
        if committed, let pending {
            seal = pending
            wantsSeal = false
        }
        pending = nil
        guard let newMain = main.current, let newWAL = wal.current else {
            throw .failed("\(main.path): \(String(cString: strerror(errno)))")
        }
        // Only a checkpoint writes to the main file; after it the WAL may start anew.
        if newMain != main.mark { wantsSeal = true }
        main.mark = newMain
        wal.mark = newWAL
    }
}
