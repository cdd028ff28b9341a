import CSQLite

/// Copies an open store, some pages at a time, while its owner goes on.
///
/// What the owner commits between two steps is copied along: the copy is the store as it is at the last step. It waits
/// for no disk; who takes the copy away makes it durable. Let go of it before the store is closed.
package final class StoreCopier {
    /// Nil once the copy is whole.
    private var destination: SQLiteConnection?
    private var backup: OpaquePointer?

    /// `path` has no file yet.
    init(of source: SQLiteConnection, to path: String) throws(StoreError) {
        let destination = try SQLiteConnection(path: path)
        self.destination = destination
        for setting in ["locking_mode = EXCLUSIVE", "journal_mode = OFF", "synchronous = OFF"] {
            try destination.execute("PRAGMA \(setting)", [])
        }
        backup = sqlite3_backup_init(destination.handle, "main", source.handle, "main")
        guard backup != nil else {
            throw destination.fault(sqlite3_extended_errcode(destination.handle))
        }
    }

    deinit { sqlite3_backup_finish(backup) }

    /// How many pages were left to copy after the last step.
    ///
    /// More than before if the store grew, and if a transaction was rolled back: then SQLite begins again.
    package var pagesLeft: Int { backup.map { Int(sqlite3_backup_remaining($0)) } ?? 0 }

    /// Copies so many more pages.
    ///
    /// - Returns: whether the copy is whole: a closed store, in use by nobody.
    /// - Throws: `StoreError`; then the copy is worth nothing, and the store is as it was.
    package func step(pages: Int) throws(StoreError) -> Bool {
        guard let destination, let backup else { return true }
        switch sqlite3_backup_step(backup, Int32(pages)) {
        case SQLITE_OK: return false
        case SQLITE_DONE: break
        case let code: throw destination.fault(code)
        }
        sqlite3_backup_finish(backup)
        self.backup = nil
        let label = try destination.applicationID & ~StoreHeader.inUse
        try destination.execute("PRAGMA application_id = \(label)", [])
        try destination.keepWAL(false)
        self.destination = nil
        return true
    }
}
