import Contracts
import Database
import Foundation
import TestKit
import Testing

@testable import Delivery

@Suite struct `the store of a partition that has no log` {
    private final class Lock: OwnedPartition {
        var isStillOwned: Bool { true }
        func release() {}
    }

    private let folder: HostFolder
    private let path: String
    private let log = MemoryLog()

    init() throws {
        folder = try HostFolder()
        path = folder.url.appending(path: "data/orders/0.sqlite").path()
    }

    private func open() throws -> OwnedStore {
        let identity = PartitionIdentity(PartitionAddress(.orders, 0), of: 1)
        return try OwnedStore(path: path, identity: identity, of: Lock())
    }

    /// Somebody writes `store` into counterfoil.json, is refused, and takes it out again.
    @Test func `is opened again after a log was named that has nothing to do with it`() throws {
        do {
            let store = try open()
            try store.database.write { _ = try $0.execute("CREATE TABLE kept (id INTEGER) STRICT", []) }
            try store.close()
        }
        #expect(try LocalCopy(at: path, of: log).prepare() == .kept)
        #expect(throws: LogFollowerFault.foreign(table: "kept")) {
            try LogFollower(SQLiteDatabase(path: path)).catchUp(with: log)
        }
        let again = try open()
        #expect(try again.database.write { try $0.rows("SELECT id FROM kept", []).count } == 0)
        try again.close()
    }

    @Test func `is no copy of a log`() throws {
        do {
            let store = try SQLiteDatabase(path: path, isRecorded: true)
            let settings = ReplicatedDatabase.Settings(repeats: { _, _ in false }, end: { _ in })
            try ReplicatedDatabase(store, log: log, settings: settings).claim([1])
            try store.close()
        }
        #expect(throws: OwnedStore.WithoutLog.self) { try open() }
    }
}
