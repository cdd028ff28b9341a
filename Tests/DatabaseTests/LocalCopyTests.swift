import Foundation
import TestKit
import Testing

@testable import Database

@Suite struct `the file of a store that has a log` {
    private let log = MemoryLog()
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private final class Host {
        let store: SQLiteDatabase
        let database: ReplicatedDatabase

        init(_ path: String, _ log: any CommitLog) throws {
            store = try SQLiteDatabase(path: path, isRecorded: true, synchronous: .normal)
            let settings = ReplicatedDatabase.Settings(repeats: { _, _ in false }, end: { _ in })
            database = try ReplicatedDatabase(store, log: log, settings: settings)
            try database.claim(Array(UUID().uuidString.utf8))
            try database.write { _ = try $0.execute(FaithfulOwner.table, []) }
        }

        func add(_ notes: Range<Int>) throws {
            for note in notes {
                try database.write { _ = try $0.execute("INSERT INTO note (id) VALUES (\(note))") }
            }
        }
    }

    /// Small ones, as often as an entry is appended.
    private static var limits: LogSnapshotter.Limits {
        var limits = LogSnapshotter.Limits()
        (limits.leastBytes, limits.storeFactor, limits.pages, limits.partBytes) = (1, 0, 1, 3_000)
        return limits
    }

    /// Turns until a snapshot is kept; some entries come in between.
    private func snapshot(_ host: Host, adding notes: Range<Int> = 0..<0) throws {
        let snapshotter = LogSnapshotter(of: folder.path, log: log, limits: Self.limits)
        var notes = notes
        repeat {
            #expect(snapshotter.turn(host.database) == nil)
            if let note = notes.popFirst() { try host.add(note..<(note + 1)) }
        } while snapshotter.isBusy
        #expect(!FileManager.default.fileExists(atPath: folder.path + ".snapshot"))
    }

    private func count(_ store: SQLiteDatabase) throws -> Int? {
        try store.write { try $0.value("SELECT COUNT(*) FROM note") }
    }

    private func copy() -> LocalCopy { LocalCopy(at: folder.path, of: log) }

    @Test func `is new where the log is, and kept where the log has what it ends with`() throws {
        #expect(try copy().prepare() == .kept)
        do {
            let host = try Host(folder.path, log)
            try host.add(0..<5)
        }
        #expect(try copy().prepare() == .kept)
        #expect(try count(Host(folder.path, log).store) == 5)
    }

    @Test func `is made from snapshot and tail where there is none`() throws {
        let owner = try Host(folder.path, log)
        try owner.add(0..<300)
        try snapshot(owner, adding: 300..<310)
        try owner.add(310..<320)
        try snapshot(owner)
        try owner.add(320..<330)
        #expect(try log.snapshots().count == 2)
        let oldest = try #require(try log.snapshots().last)
        #expect(log.entries.first?.position == oldest.head.position, "what is below the older one is pruned")

        let other = try StoreFolder()
        let made = try LocalCopy(at: other.path, of: log).prepare()
        #expect(made == .snapshot(try #require(try log.snapshots().first).head))
        let heir = try Host(other.path, log)
        #expect(try count(heir.store) == 330)
        #expect(try heir.store.write { try $0.value("PRAGMA integrity_check") } == "ok")
        #expect(heir.database.head.epoch > owner.database.head.epoch)
        #expect(throws: StoreError.self, "who was fenced writes no more") { try owner.add(330..<331) }
    }

    /// A large store's log has some hundred thousand entries: another host would claim meanwhile.
    @Test func `has a log that is pruned a few entries at a time, between the owner's batches`() throws {
        let owner = try Host(folder.path, log)
        try owner.add(0..<1_000)
        try snapshot(owner)
        try owner.add(1_000..<1_010)
        let snapshotter = LogSnapshotter(of: folder.path, log: log, limits: Self.limits)
        var most = 0
        repeat {
            let count = log.entries.count
            #expect(snapshotter.turn(owner.database) == nil)
            most = max(most, count - log.entries.count)
        } while snapshotter.isBusy
        #expect((1...MemoryLog.entriesAtOnce).contains(most))
        let oldest = try #require(try log.snapshots().last)
        #expect(log.entries.first?.position == oldest.head.position)
    }

    @Test func `is made anew where it is older than what the log keeps`() throws {
        let owner = try Host(folder.path, log)
        try owner.add(0..<10)
        let older = try folder.copy()
        try owner.add(10..<300)
        try snapshot(owner)
        try owner.add(300..<310)
        try snapshot(owner)
        let made = try LocalCopy(at: older.path, of: log).prepare()
        #expect(made != .kept)
        #expect(try count(Host(older.path, log).store) == 310)
    }

    @Test func `is made anew where its own log is missing or its pages are damaged`() throws {
        let owner = try Host(folder.path, log)
        try owner.store.raiseFence(label: StoreFolder.label)
        try owner.store.declareUse()
        try owner.add(0..<20)
        let torn = try folder.copy(StoreFolder.withoutLog)
        #expect(throws: StoreError.self) { try SQLiteDatabase(path: torn.path) }
        #expect(try LocalCopy(at: torn.path, of: log).prepare() == .kept)
        #expect(try count(Host(torn.path, log).store) == 20)
        #expect(FileManager.default.fileExists(atPath: torn.path + ".unfit"), "an operator may look into it")
    }

    /// Somebody names a log of which a group has pruned the beginning; or a move into it was interrupted.
    @Test func `stays where no log has made it, also where a snapshot would make another one`() throws {
        let owner = try Host(folder.path, log)
        try owner.add(0..<300)
        for notes in [300..<310, 310..<320] { try snapshot(owner, adding: notes) }
        #expect(try #require(log.entries.first).position > 1)
        let foreign = try StoreFolder()
        do {
            let store = try foreign.open()
            try store.add("acknowledged, and nowhere else")
            try store.close()
        }
        let fault = LogFollowerFault.foreign(table: "note")
        #expect(throws: fault) { try LocalCopy(at: foreign.path, of: log).prepare() }
        #expect(try SQLiteDatabase(path: foreign.path).notes() == ["acknowledged, and nowhere else"])
    }

    @Test func `stays, and nobody goes on, where the log has lost what it holds`() throws {
        do {
            let host = try Host(folder.path, log)
            try host.add(0..<5)
        }
        let end = try log.head()
        log.lose(behind: 3)
        #expect(throws: LogFollowerFault.behind(log: try log.head(), store: end)) {
            try copy().prepare()
        }
        let other = try Host(try StoreFolder(in: folder).path, log)
        try other.add(10..<20)
        #expect(throws: LogFollowerFault.self) { try copy().prepare() }
        #expect(try count(SQLiteDatabase(path: folder.path)) == 5)
    }

    @Test func `is found out by a comparison alone, wherever the partition is owned`() throws {
        do {
            let host = try Host(folder.path, log)
            try host.add(0..<5)
        }
        try copy().compare()
        let other = try Host(try StoreFolder(in: folder).path, log)
        try other.add(10..<20)
        try copy().compare()
        log.lose(behind: 6)
        #expect(throws: LogFollowerFault.self) { try copy().compare() }
    }

    @Test func `is not made from what is no store`() throws {
        let owner = try Host(folder.path, log)
        try owner.add(0..<5)
        let name = SnapshotName(head: owner.database.head)
        try log.write(part: [1, 2, 3], number: 0, of: name)
        var digest = SnapshotDigest()
        digest.add([1, 2, 3])
        try log.keep(LogSnapshot(name: name, parts: 1, bytes: 3, digest: digest.value))
        try log.prune(below: name.head.position)
        let other = try StoreFolder()
        #expect(throws: (any Error).self) { try LocalCopy(at: other.path, of: log).prepare() }
    }

    @Test func `is not made from a snapshot that came with other bytes than were sent`() throws {
        let owner = try Host(folder.path, log)
        try owner.add(0..<300)
        try snapshot(owner)
        try snapshot(owner, adding: 300..<310)
        let other = try StoreFolder()
        let damaged = ForwardingLog(log)
        damaged.onPart = { $0.dropLast() + [0x5A] }
        let fault = #expect(throws: LogFault.self) { try LocalCopy(at: other.path, of: damaged).prepare() }
        if case .unreadable? = fault { return }
        Issue.record("\(String(describing: fault))")
    }

    @Test(arguments: Damage.allCases)
    func `is made from the older snapshot where the newest is worth nothing`(_ damage: Damage) throws {
        let owner = try Host(folder.path, log)
        try owner.add(0..<300)
        try snapshot(owner)
        let older = try #require(try log.snapshots().first).head
        try owner.add(300..<310)
        let name = SnapshotName(head: owner.database.head)
        try log.write(part: [1, 2, 3], number: 0, of: name)
        var digest = SnapshotDigest()
        digest.add(damage == .otherBytes ? [4, 5, 6] : [1, 2, 3])
        try log.keep(LogSnapshot(name: name, parts: 1, bytes: 3, digest: digest.value))
        try log.prune(below: older.position)
        let broken = ForwardingLog(log)
        broken.onRead = { snapshot throws(LogFault) in
            if damage == .lostPart, snapshot.name == name { throw .pruned(first: 1) }
        }
        let other = try StoreFolder()
        let made = try LocalCopy(at: other.path, of: broken).prepare()
        #expect(made == .snapshot(older))
        #expect(try count(Host(other.path, log).store) == 310)
    }

    /// What may be wrong with a snapshot that the log lists.
    enum Damage: CaseIterable {
        case noStore, otherBytes, lostPart
    }

    @Test func `has a snapshot only when the log keeps it, and the owner goes on without`() throws {
        let owner = try Host(folder.path, log)
        try owner.add(0..<100)
        let broken = ForwardingLog(log)
        broken.onWrite = { () throws(LogFault) in throw .unreachable("the part is lost") }
        let snapshotter = LogSnapshotter(of: folder.path, log: broken, limits: Self.limits)
        var faults: [String] = []
        for note in 100..<200 {
            if let fault = snapshotter.turn(owner.database) { faults.append(fault) }
            try owner.add(note..<(note + 1))
        }
        #expect(!faults.isEmpty)
        #expect(try log.snapshots().isEmpty)
        snapshotter.giveUp()
        #expect(!FileManager.default.fileExists(atPath: folder.path + ".snapshot"))
        try owner.store.close()
    }
}
