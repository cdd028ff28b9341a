import Foundation
import GRDB

/// The embedded engine: SQLite through GRDB, in WAL mode with `synchronous=FULL`.
package final class SQLiteDatabase: Database {
    /// A larger log, left by a killed owner, is moved into the main file before the store opens.
    package static let checkpointThresholdBytes = 16 << 20
    static let automaticCheckpointPages = 4_000
    static let pageCacheKibibytes = 16_384

    private let queue: DatabaseQueue
    private let path: String
    private var fence: StoreFence?

    /// Opens or creates the store at `path`; fails also when the file system does not grant WAL with full
    /// synchronisation.
    package init(path: String) throws(StoreError) {
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        configuration.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = FULL;
                    PRAGMA wal_autocheckpoint = \(Self.automaticCheckpointPages);
                    PRAGMA cache_size = -\(Self.pageCacheKibibytes);
                    PRAGMA temp_store = MEMORY
                    """
            )
        }
        self.path = path
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            if path != ":memory:" { try Self.assertDurable(queue) }
        } catch {
            throw StoreError(error)
        }
    }

    private static func assertDurable(_ queue: DatabaseQueue) throws {
        try queue.inDatabase { database in
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
            let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            guard mode == "wal", synchronous == 2 else {
                throw StoreError.failed(
                    "the store runs with journal_mode \(mode ?? "?"), synchronous \(synchronous ?? -1)"
                )
            }
        }
    }

    @discardableResult
    package func write<Value>(_ body: (any Connection) throws -> Value) throws -> Value {
        try queue.inDatabase { database in
            let connection = SQLiteConnection(database)
            try guarded { () throws(StoreError) in try fence?.check() }
            try connection.execute("BEGIN IMMEDIATE")
            let value: Value
            do {
                try fence?.begin(connection)
                value = try body(connection)
                try connection.execute("COMMIT")
            } catch {
                try connection.rollback()
                try fence?.end(committed: false)
                throw error
            }
            try fence?.end(committed: true)
            return value
        }
    }

    package func checkpoint() throws {
        do {
            try guarded { () throws(StoreError) in try fence?.check() }
            try queue.inDatabase { database in _ = try database.checkpoint(.truncate) }
            try fence?.end(committed: false)
        } catch {
            throw StoreError(error)
        }
    }

    package func close() throws {
        do { try queue.close() } catch { throw StoreError(error) }
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
            do {
                fence = try queue.inDatabase { database in
                    try StoreFence(path: path, label: label, SQLiteConnection(database))
                }
            } catch {
                throw StoreError(error)
            }
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
            if case .replaced = error { _ = Unmanaged.passRetained(queue) }
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

final class SQLiteConnection: Connection {
    private let database: GRDB.Database

    init(_ database: GRDB.Database) { self.database = database }

    /// SQLite has ended the transaction already after some faults.
    func rollback() throws(StoreError) {
        guard database.isInsideTransaction else { return }
        try execute("ROLLBACK")
    }

    /// Boxed one by one: GRDB's initializer for values of one type uses key paths, which cost more than SQLite.
    private func arguments(_ values: [Value]) -> StatementArguments {
        StatementArguments(values.map { $0.argument as (any DatabaseValueConvertible)? })
    }

    func execute(_ sql: String, _ values: [Value]) throws(StoreError) -> Int {
        do {
            let statement = try database.cachedStatement(sql: sql)
            try statement.execute(arguments: arguments(values))
            return database.changesCount
        } catch {
            throw StoreError(error)
        }
    }

    func rows(_ sql: String, _ values: [Value]) throws(StoreError) -> [Row] {
        do {
            let statement = try database.cachedStatement(sql: sql)
            let cursor = try GRDB.Row.fetchCursor(statement, arguments: arguments(values))
            let names = statement.columnNames
            var rows: [Row] = []
            while let row = try cursor.next() { rows.append(Row(names, row.databaseValues.map(Value.init))) }
            return rows
        } catch {
            throw StoreError(error)
        }
    }
}

extension Value {
    var argument: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let integer): integer.databaseValue
        case .text(let text): text.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }

    init(_ stored: DatabaseValue) {
        switch stored.storage {
        case .null: self = .null
        case .int64(let integer): self = .integer(integer)
        case .double(let number): self = .integer(Int64(number))
        case .string(let text): self = .text(text)
        case .blob(let data): self = .blob([UInt8](data))
        }
    }
}

extension StoreError {
    init(_ error: any Error) {
        guard let fault = error as? DatabaseError else {
            self = error as? StoreError ?? .failed(String(describing: error))
            return
        }
        self =
            switch fault.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
            case .SQLITE_FULL: .full
            case .SQLITE_CONSTRAINT: .constraint(fault.message ?? "a constraint")
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged(fault.message ?? "the file is damaged")
            default: .failed("\(fault.extendedResultCode): \(fault.message ?? "no message")")
            }
    }
}
