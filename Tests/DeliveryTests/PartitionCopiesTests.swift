import Contracts
import Database
import Foundation
import Testing

@testable import Delivery

/// Partitions of another host, and what this one keeps of them.
@Suite struct `copies of partitions that other hosts own` {
    /// The locks of this host, one of which may be held.
    private final class Locks: Ownership, @unchecked Sendable {  // one thread uses it
        private final class Lock: OwnedPartition, @unchecked Sendable {  // as its locks
            private let locks: Locks
            init(_ locks: Locks) { self.locks = locks }
            var isStillOwned: Bool { true }
            func release() { locks.isHeld = false }
        }

        var isHeld = false
        var taken = 0

        func join() throws -> (any Membership)? { nil }
        func census() throws -> (members: Int, rank: Int) { (1, 0) }
        func isFree(_ partition: Int) throws -> Bool { !isHeld }
        func take(_ partition: Int) throws -> (any OwnedPartition)? {
            if isHeld { return nil }
            (isHeld, taken) = (true, taken + 1)
            return Lock(self)
        }
    }

    private final class World {
        let shared = SharedLog()
        let locks = Locks()
        let folder = FileManager.default.temporaryDirectory.appending(path: "copies-\(UUID().uuidString)")
        var alarms: [String] = []
        var isSilent = false

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        deinit {
            do {
                try FileManager.default.removeItem(at: folder)
            } catch {
                print("the folder stays: \(error)")
            }
        }

        var path: String { folder.appending(path: "0.sqlite").path() }

        func copies() -> PartitionCopies {
            PartitionCopies(
                of: .orders,
                partitions: 1,
                in: folder.path(),
                locks: locks,
                sign: { [unowned self] _ in
                    if isSilent { throw LogFault.unreachable("nobody answers") }
                    return try shared.sign(seenBy: "here")
                },
                log: { [unowned self] _ in shared.entries },
                alarm: { [unowned self] _, problem in alarms.append(problem) }
            )
        }

        /// An owner on another host, with so many notes.
        func owner(notes: Range<Int>) throws -> LogHost {
            let host = try LogHost(shared, "there")
            try host.claim(after: .init(epoch: 0, counter: 0, isGone: true))
            for note in notes { try host.add(note) }
            return host
        }

        /// Where the copy differs from the owner's store.
        func difference(from host: LogHost) throws -> String? {
            try StoreComparison.firstDifference(host.store, SQLiteDatabase(path: path))
        }
    }

    private let world: World

    init() throws { world = try World() }

    @Test func `hold what the owner has written, and go on from there`() throws {
        let (owner, copies) = (try world.owner(notes: 0..<5), world.copies())
        copies.follow()
        #expect(try world.difference(from: owner) == nil)
        try owner.add(5)
        #expect(try world.difference(from: owner) != nil)
        copies.follow()
        #expect(try world.difference(from: owner) == nil)
        #expect(!world.locks.isHeld)
        #expect(world.alarms.isEmpty)
    }

    @Test func `are left alone while their logs say nothing new`() throws {
        let (owner, copies) = (try world.owner(notes: 0..<5), world.copies())
        for _ in 0..<3 { copies.follow() }
        #expect(world.locks.taken == 1)
        try owner.add(5)
        copies.follow()
        #expect(world.locks.taken == 2)
    }

    @Test func `are not touched where a process of this host owns the partition, or nobody answers`() throws {
        let (owner, copies) = (try world.owner(notes: 0..<5), world.copies())
        world.locks.isHeld = true
        copies.follow()
        world.locks.isHeld = false
        world.isSilent = true
        copies.follow()
        #expect(!FileManager.default.fileExists(atPath: world.path))
        world.isSilent = false
        copies.follow()
        #expect(try world.difference(from: owner) == nil)
    }

    @Test func `are not made of a partition that nobody owns, or that is quarantined`() throws {
        let copies = world.copies()
        copies.follow()
        _ = try world.owner(notes: 0..<5)
        world.shared.quarantine = "an operator looks"
        copies.follow()
        #expect(world.locks.taken == 0)
    }

    @Test func `leave to a heir the tail alone`() throws {
        let (owner, copies) = (try world.owner(notes: 0..<5), world.copies())
        copies.follow()
        try owner.add(5)
        let store = try SQLiteDatabase(path: world.path, isRecorded: true, synchronous: .normal)
        let heir = try LogHost(world.shared, "here", store: store)
        let follower = try LogFollower(store)
        #expect(try follower.head.position == world.shared.entries.head().position - 1)
        try heir.claim(after: .init(epoch: owner.log.shared.epoch, counter: 0, isGone: true))
        #expect(try heir.read() == 6)
    }

    @Test func `that the entries do not fit are put aside, told of, and made anew`() throws {
        let (owner, copies) = (try world.owner(notes: 0..<5), world.copies())
        copies.follow()
        try SQLiteDatabase(path: world.path).write { _ = try $0.execute("DELETE FROM note WHERE id = 3", []) }
        try owner.remove(3)
        copies.follow()
        #expect(world.alarms.count == 1)
        #expect(FileManager.default.fileExists(atPath: world.path + ".unfit"))
        copies.follow()
        #expect(try world.difference(from: owner) == nil)
        #expect(world.alarms.count == 1)
    }

    @Test func `that the log has left are told of once, and stay as they are`() throws {
        let (owner, copies) = (try world.owner(notes: 0..<5), world.copies())
        copies.follow()
        let left = try Data(contentsOf: URL(filePath: world.path))
        world.shared.entries.lose(behind: 3)
        for _ in 0..<3 { copies.follow() }
        #expect(world.alarms.count == 1)
        #expect(world.alarms.first?.contains("has lost what it had acknowledged") == true)
        #expect(try Data(contentsOf: URL(filePath: world.path)) == left)
        withExtendedLifetime(owner) {}
    }
}
