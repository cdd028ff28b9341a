import Foundation
import Testing

@testable import Database

/// A group that had no log gets one: nothing of its stores is lost, and nobody begins twice.
@Suite struct `the beginning of a log` {
    private let log = MemoryLog()
    private let folder: StoreFolder

    init() throws {
        folder = try StoreFolder()
        let store = try folder.open()
        for note in 0..<50 { try store.add("note \(note)") }
        try store.close()
    }

    private func beginning() throws -> LogBeginning {
        LogBeginning(of: try SQLiteDatabase(path: folder.path), in: log)
    }

    private func owner(_ path: String) throws -> ReplicatedDatabase {
        _ = try LocalCopy(at: path, of: log).prepare()
        let store = try SQLiteDatabase(path: path, isRecorded: true, synchronous: .normal)
        let settings = ReplicatedDatabase.Settings(repeats: { _, _ in false }, end: { _ in })
        let owner = try ReplicatedDatabase(store, log: log, settings: settings)
        try owner.claim(Array(UUID().uuidString.utf8))
        return owner
    }

    private func count(_ owner: ReplicatedDatabase) throws -> Int? {
        try owner.write { try $0.value("SELECT COUNT(*) FROM note") }
    }

    private func add(_ note: String, _ owner: ReplicatedDatabase) throws {
        try owner.write { _ = try $0.execute("INSERT INTO note (text) VALUES (?)", [.text(note)]) }
    }

    @Test func `holds all of a store, which goes on behind it here and on another host`() throws {
        do {
            let beginning = try beginning()
            let head = try beginning.make()
            #expect(try beginning.difference() == nil)
            try beginning.mark(at: head)
        }
        do {
            let owner = try owner(folder.path)
            #expect(try count(owner) == 50)
            try add("one more", owner)
        }
        let other = try StoreFolder()
        #expect(try count(owner(other.path)) == 51)
    }

    @Test func `leaves nothing beside the store`() throws {
        let beginning = try beginning()
        try beginning.mark(at: beginning.make())
        #expect(try beginning.difference() == nil)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path())
        #expect(files.allSatisfy { $0 == "0.sqlite" || $0 == "0.sqlite-wal" }, "\(files)")
    }

    @Test func `is tried again where an attempt has left claims, or a snapshot and no mark`() throws {
        #expect(try log.claim(after: .empty, claimant: [1]) == .appended)
        let first = try beginning().make()
        let second = try beginning().make()
        #expect(second.position > first.position)
        #expect(try log.snapshots().map(\.head) == [second])
        let other = try StoreFolder()
        #expect(try count(owner(other.path)) == 50)
    }

    @Test func `is done once where the store is marked`() throws {
        let head: LogHead
        do {
            let beginning = try beginning()
            head = try beginning.make()
            try beginning.mark(at: head)
        }
        let again = try beginning()
        #expect(try again.make() == head)
        #expect(try again.difference() == nil)
        #expect(try log.head() == head)
    }

    @Test func `is not written over what a group has written, by a marked store or another one`() throws {
        let late = try folder.copy()
        do {
            let beginning = try beginning()
            try beginning.mark(at: beginning.make())
        }
        let other = try StoreFolder()
        try add("one more", owner(other.path))
        #expect(throws: LogFollowerFault.self) { try beginning().make() }
        let stranger = LogBeginning(of: try SQLiteDatabase(path: late.path), in: log)
        let refusal = LogFault.refused("the log holds what a group has written already")
        #expect(throws: refusal) { try stranger.make() }
    }

    @Test func `repeats a claim whose outcome is unknown, and gives up one that stays lost`() throws {
        var troubles: [MemoryLog.Trouble] = [.lost, .unacknowledged]
        log.trouble = { _ in troubles.popLast() }
        #expect(try beginning().make().position == 2)
        log.trouble = { _ in .lost }
        #expect(throws: LogFault.unreachable("the entry was lost")) { try beginning().make() }
    }

    @Test func `is seen to differ from a store that is written meanwhile`() throws {
        let store = try SQLiteDatabase(path: folder.path)
        let beginning = LogBeginning(of: store, in: log)
        _ = try beginning.make()
        try store.add("behind its back")
        let difference = try #require(try beginning.difference())
        #expect(difference.contains("note"))
    }
}
