import Database
import Testing

@testable import Delivery

/// A store behind a commit log, whose owner may die when its entry is in the log and nothing is committed.
private final class LoggedStore: Database {
    private let log = MemoryLog()
    private let file: SQLiteDatabase
    private var database: ReplicatedDatabase
    private var owners: UInt8 = 0
    private(set) var hasDied = false

    init() throws {
        file = try SQLiteDatabase(path: ":memory:", isRecorded: true)
        let settings = ReplicatedDatabase.Settings(repeats: { _, _ in false }, end: { _ in })
        database = try ReplicatedDatabase(file, log: log, settings: settings)
        try database.claim([owners])
    }

    /// Has the owner die in the n-th transaction from now on that changes anything.
    func die(at transaction: Int) {
        var left = transaction
        log.trouble = { entry in
            if entry.kind != .claim { left -= 1 }
            return left == 0 ? .unacknowledged : nil
        }
    }

    /// Another owner takes the file as it lies there.
    func claim() throws {
        log.trouble = { _ in nil }
        owners += 1
        let settings = ReplicatedDatabase.Settings(repeats: { _, _ in false }, end: { _ in })
        database = try ReplicatedDatabase(file, log: log, settings: settings)
        try database.claim([owners])
    }

    /// Where the file differs from a store that the log makes.
    func difference() throws -> String? {
        let copy = try SQLiteDatabase(path: ":memory:")
        try LogFollower(copy).catchUp(with: log)
        return try StoreComparison.firstDifference(file, copy)
    }

    func write<Value>(_ body: (any Connection) throws -> Value) throws -> Value {
        let count = log.entries.count
        do {
            return try database.write(body)
        } catch {
            // The entry is there, and whoever wrote it was told that nothing is known.
            if log.entries.count > count { hasDied = true }
            throw error
        }
    }

    var counts: StoreCounts { file.counts }
    func checkpoint() throws { try file.checkpoint() }
    func close() throws { try file.close() }
}

@Suite struct `an engine over a store behind a commit log` {
    private static let texts = ["1", "2", "3", "4", "5", "6"]

    @Test(arguments: 1...6)
    func `has each event once where its owner dies between entry and COMMIT, and is what its log makes`(
        death: Int
    ) throws {
        let (sender, receiver) = (try LoggedStore(), try LoggedStore())
        let pair = try EnginePair(stores: (sender, receiver))
        receiver.die(at: death)
        for text in Self.texts {
            do {
                try pair.carry(pair.send([text]), from: pair.orders)
            } catch is StoreError where receiver.hasDied {
                try receiver.claim()
                try pair.takeOver(pair.entitlements)
                try pair.reconnect()
            }
        }
        #expect(receiver.hasDied)
        #expect(try pair.entitlements.texts() == Self.texts)
        #expect(try sender.difference() == nil)
        #expect(try receiver.difference() == nil)
    }
}
