import Contracts
import Database
import Foundation
import TestKit
import Testing
import ZeroMQ

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

@Suite struct `the store of a partition that has a log` {
    private final class Lock: OwnedPartition {
        var isStillOwned: Bool { true }
        func release() {}
    }

    /// What its process is told.
    private final class Told {
        var alarms: [String] = []
    }

    private let folder: HostFolder
    private let path: String
    private let shared = SharedLog()
    private let told = Told()

    init() throws {
        folder = try HostFolder()
        path = folder.url.appending(path: "data/orders/0.sqlite").path()
    }

    private func open() throws -> OwnedStore {
        let process = LogOwner.Process(
            uptime: { 0 },
            pause: { _ in },
            repeats: { _, _ in false },
            end: { _ in },
            alarm: { [told] in told.alarms.append($0) },
            quarantine: { _ in }
        )
        return try OwnedStore(
            path: path,
            identity: PartitionIdentity(PartitionAddress(.orders, 0), of: 1),
            of: Lock(),
            after: .init(epoch: shared.entries.head().epoch, counter: shared.counter, isGone: true),
            log: HostLog(shared, host: "here"),
            endpoint: .ipc(path: "here"),
            process
        )
    }

    private func write(_ sql: String, _ store: OwnedStore) throws {
        try store.database.write { _ = try $0.execute(sql, []) }
    }

    private func ids(_ store: OwnedStore) throws -> [Int64] {
        try store.database.write { try $0.rows("SELECT id FROM kept ORDER BY id", []).map { try $0[0] } }
    }

    @Test func `is made anew where the entries of its log do not fit it, and the former one is kept aside`()
        throws
    {
        do {
            let store = try open()
            try write("CREATE TABLE kept (id INTEGER PRIMARY KEY) STRICT", store)
            try write("INSERT INTO kept (id) VALUES (1), (2), (3)", store)
            try store.close()
        }
        // Another host goes on, while this one's copy loses a row that no log knows of.
        let other = try LogHost(shared, "there")
        try other.claim(after: .init(epoch: shared.entries.head().epoch, counter: 0, isGone: true))
        try other.owner?.database.write { _ = try $0.execute("DELETE FROM kept WHERE id = 2", []) }
        do {
            let copy = try SQLiteDatabase(path: path)
            try copy.write { _ = try $0.execute("DELETE FROM kept WHERE id = 2", []) }
            try copy.close()
        }
        let again = try open()
        #expect(try ids(again) == [1, 3])
        #expect(told.alarms.count == 1)
        #expect(FileManager.default.fileExists(atPath: path + ".unfit"))
        try again.close()
    }
}
