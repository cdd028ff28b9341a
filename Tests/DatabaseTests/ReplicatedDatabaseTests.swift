import TestKit
import Testing

@testable import Database

@Suite struct `a store behind a commit log` {
    private let log = MemoryLog()

    private func world() -> ReplicatedWorld { ReplicatedWorld(log) }

    private func notes(_ store: SQLiteDatabase) throws -> [Int] {
        try store.write { try $0.rows("SELECT id FROM note ORDER BY id").map { try $0[0] as Int } }
    }

    /// The trouble of the entry that is appended next, and of no other.
    private func meet(_ trouble: MemoryLog.Trouble, times: Int = 1) {
        var left = times
        log.trouble = { _ in
            left -= 1
            return left >= 0 ? trouble : nil
        }
    }

    @Test func `commits what the log has acknowledged, and nothing for what changes nothing`() throws {
        let world = world()
        let owner = try world.owner()
        for note in 1...5 { try world.add(note, to: owner) }
        #expect(log.entries.map(\.kind) == [.claim, .schema] + Array(repeating: .rows, count: 5))
        try (owner as? FaithfulOwner)?.database.write { _ = try $0.rows("SELECT * FROM note", []) }
        #expect(log.entries.count == 7)
        #expect(try world.broken(owner).isEmpty)
    }

    @Test func `writes nothing before the partition is claimed`() throws {
        let store = try SQLiteDatabase(path: ":memory:", isRecorded: true)
        let settings = ReplicatedDatabase.Settings(repeats: { _, _ in false }, end: { _ in })
        let database = try ReplicatedDatabase(store, log: log, settings: settings)
        #expect(throws: StoreError.self) {
            try database.write { _ = try $0.execute(FaithfulOwner.table, []) }
        }
        #expect(log.entries.isEmpty)
    }

    @Test func `needs a recorder`() throws {
        let world = world()
        #expect(throws: StoreError.self) { try world.owner(SQLiteDatabase(path: ":memory:")) }
    }

    @Test(arguments: [MemoryLog.Trouble.lost, .unacknowledged, .late])
    func `repeats an entry whose outcome is unknown, and has it once`(trouble: MemoryLog.Trouble) throws {
        let world = world()
        let owner = try world.owner()
        meet(trouble, times: 2)
        try world.add(1, to: owner)
        #expect(world.acknowledged == [1])
        #expect(log.entries.count == 3)
        #expect(try world.broken(owner).isEmpty)
    }

    @Test(arguments: [MemoryLog.Trouble.lost, .unacknowledged, .late])
    func `ends the process where the outcome stays unknown, and its heir finds out`(
        trouble: MemoryLog.Trouble
    ) throws {
        let world = world()
        let owner = try FaithfulOwner(SQLiteDatabase(path: ":memory:", isRecorded: true), log, attempts: 1)
        try world.add(1, to: owner)
        meet(trouble)
        try world.add(2, to: owner)
        #expect(owner.ends.count == 1)
        #expect(world.acknowledged == [1])
        try world.add(3, to: owner)
        #expect(world.acknowledged == [1], "nothing is written after the end")
        let heir = try world.owner(owner.store)
        try world.add(4, to: heir)
        #expect(try notes(heir.store) == (trouble == .lost ? [1, 4] : [1, 2, 4]))
        #expect(try world.broken(heir).isEmpty)
    }

    @Test func `ends the process if the COMMIT fails after the acknowledgement`() throws {
        let world = world()
        let owner = try FaithfulOwner(SQLiteDatabase(path: ":memory:", isRecorded: true), log, attempts: 1)
        try owner.store.connection.execute("PRAGMA foreign_keys = ON", [])
        try owner.database.write { connection in
            try connection.execute(
                "CREATE TABLE later (id INTEGER REFERENCES note (number) DEFERRABLE INITIALLY DEFERRED)",
                []
            )
        }
        #expect(throws: StoreError.self) {
            try owner.database.write { _ = try $0.execute("INSERT INTO later VALUES (77)", []) }
        }
        #expect(owner.ends.count == 1)
        #expect(log.entries.last?.position == 4)
        #expect(throws: StoreError.self) { try owner.add(1) }
        // What is in the log was acknowledged to its owner; the heir has it.
        let heir = try world.owner()
        #expect(try heir.store.write { try $0.rows("SELECT id FROM later", []).count } == 1)
    }

    @Test func `gives a transaction back as it was where the log refuses it`() throws {
        let world = world()
        let owner = try world.owner()
        let heir = try world.owner()
        try world.add(1, to: owner)
        #expect(world.acknowledged.isEmpty)
        #expect(try notes(owner.store).isEmpty)
        #expect(throws: StoreError.self) { try owner.add(2) }
        try world.add(3, to: heir)
        #expect(world.acknowledged == [3])
        #expect(try world.broken(heir).isEmpty)
    }

    @Test func `is taken over by a copy that is older, empty or up to date`() throws {
        let world = world()
        let first = try world.owner()
        try world.add(1, to: first)
        let second = try world.owner()
        try world.add(2, to: second)
        let third = try world.owner(first.store)
        #expect(try notes(third.store) == [1, 2])
        try world.add(3, to: third)
        let fourth = try world.owner(third.store)
        #expect(try notes(fourth.store) == [1, 2, 3])
        #expect(log.entries.filter { $0.kind == .claim }.count == 4)
        #expect(try world.broken(fourth).isEmpty)
    }

    @Test func `can be closed and opened again after it was caught up`() throws {
        let folder = try StoreFolder()
        let first = try world().owner()
        try first.add(1)
        for note in 2...3 {
            let owner = try FaithfulOwner(SQLiteDatabase(path: folder.path, isRecorded: true), log)
            try owner.add(note)
            try owner.database.close()
        }
        let last = try FaithfulOwner(SQLiteDatabase(path: folder.path, isRecorded: true), log)
        #expect(try notes(last.store) == [1, 2, 3])
        #expect(try world().broken(last).isEmpty)
    }

    @Test func `is not taken over over another history, or beyond the end of the log`() throws {
        let world = world()
        let owner = try world.owner()
        try world.add(1, to: owner)
        let shorter = MemoryLog()
        for entry in log.entries.dropLast() { #expect(try shorter.append(entry) == .appended) }
        #expect(throws: LogFollowerFault.behind(log: try shorter.head(), store: try log.head())) {
            try FaithfulOwner(owner.store, shorter)
        }
        let next = LogEntry(claimAfter: try shorter.head(), claimant: [9])
        #expect(try shorter.append(next) == .appended)
        #expect(throws: LogFollowerFault.diverged(log: next.head, store: try log.head())) {
            try FaithfulOwner(owner.store, shorter)
        }
    }

    // MARK: Negative controls

    /// The process dies at each step of a write in turn; the heir has another store, or the same one.
    private static func crashes(
        _ make: @escaping (SQLiteDatabase, any CommitLog) throws -> any ReplicatedOwner
    ) throws
        -> Set<ReplicatedWorld.Law>
    {
        var broken: Set<ReplicatedWorld.Law> = []
        for trouble in [nil, MemoryLog.Trouble.lost, .unacknowledged] {
            for keepsStore in [true, false] {
                let log = MemoryLog()
                let world = ReplicatedWorld(log, make)
                let owner = try world.owner()
                try world.add(1, to: owner)
                log.trouble = { _ in trouble }
                try world.add(2, to: owner)
                log.trouble = { _ in nil }
                do {
                    let heir = try world.owner(keepsStore ? owner.store : nil)
                    try world.add(3, to: heir)
                    broken.formUnion(try world.broken(heir))
                } catch is LogFollowerFault {
                    broken.insert(.replayEqualsTheOwner)
                }
            }
        }
        return broken
    }

    @Test func `keeps the laws wherever its process dies`() throws {
        #expect(try Self.crashes { try FaithfulOwner($0, $1) }.isEmpty)
    }

    @Test func `breaks them if it commits before it appends`() throws {
        #expect(try Self.crashes { try HastyOwner($0, $1) } == [.replayEqualsTheOwner])
    }

    @Test func `breaks them over a log that does not check positions`() throws {
        let world = ReplicatedWorld(ForwardingLog.careless())
        let (owner, heir) = (try world.owner(), try world.owner())
        try world.add(1, to: owner)
        try world.add(2, to: heir)
        #expect(world.acknowledged == [1, 2], "two owners were told that they had written")
        #expect(try world.broken(heir).contains(.oneOwner))
    }

    @Test func `breaks them if it says that it has written before the log has acknowledged`() throws {
        #expect(try Self.crashes { try TalkativeOwner($0, $1) } == [.acknowledgedIsInTheLog])
    }

    @Test func `breaks them if it takes what is unknown for not done`() throws {
        let log = MemoryLog()
        let world = ReplicatedWorld(ForwardingLog.hopeful(log))
        let owner = try world.owner()
        log.trouble = { _ in .unacknowledged }
        try world.add(1, to: owner)
        log.trouble = { _ in nil }
        #expect(world.refused == [1], "it was told that nothing was done")
        #expect(try world.broken(world.owner()).contains(.refusedIsNotInTheLog))
    }

    /// What an owner has told, and whether it is there when the log's machine is lost, the connection cut before.
    private static func broken(believesReads: Bool) throws -> [ReplicatedWorld.Law] {
        let machines = TwoMachines()
        let world = ReplicatedWorld(machines.log(believesReads: believesReads))
        let owner = try world.owner()
        try world.add(1, to: owner)
        machines.cuts = 1
        try world.add(2, to: owner)
        #expect(world.acknowledged == [1, 2])
        machines.promote()
        return try world.broken(world.owner())
    }

    @Test func `believes an unknown outcome only when the same insert is acknowledged, and no read`() throws {
        #expect(try Self.broken(believesReads: false).isEmpty)
        #expect(try Self.broken(believesReads: true) == [.acknowledgedIsInTheLog])
    }
}

/// A negative control: it commits, and appends what it has committed.
private final class HastyOwner: ReplicatedOwner {
    private let faithful: FaithfulOwner
    private let log: any CommitLog
    private var head: LogHead

    var store: SQLiteDatabase { faithful.store }
    var hasEnded: Bool { faithful.hasEnded }

    init(_ store: SQLiteDatabase, _ log: any CommitLog) throws {
        faithful = try FaithfulOwner(store, log)
        self.log = log
        head = try log.head()
    }

    func add(_ note: Int) throws {
        var entry: LogEntry?
        try store.write({ _ = try $0.execute("INSERT INTO note (id) VALUES (\(note))") }) {
            changes,
            connection in
            let next = LogEntry(
                position: head.position + 1,
                epoch: head.epoch,
                kind: .rows,
                bytes: changes.bytes
            )
            try LogFollower.note(next.head, connection)
            entry = next
        }
        guard let entry, try log.append(entry) == .appended else { throw ReplicatedCrash() }
        head = entry.head
    }
}

/// A negative control: it says that it has written, and then appends.
private final class TalkativeOwner: ReplicatedOwner {
    private let faithful: FaithfulOwner

    var store: SQLiteDatabase { faithful.store }
    /// Nobody was told that anything has failed.
    var hasEnded: Bool { faithful.hasEnded }

    init(_ store: SQLiteDatabase, _ log: any CommitLog) throws {
        faithful = try FaithfulOwner(store, log, attempts: 1)
    }

    func add(_ note: Int) throws {
        do { try faithful.add(note) } catch is StoreError {
            return  // it was told before
        }
    }
}

extension ForwardingLog {
    /// A negative control: whoever comes last has the position.
    fileprivate static func careless() -> ForwardingLog {
        let log = ForwardingLog()
        var kept: [Int64: LogEntry] = [:]
        log.onAppend = { entry throws(LogFault) in
            kept[entry.position] = entry
            return .appended
        }
        log.onHead = { () throws(LogFault) in kept.keys.max().flatMap { kept[$0]?.head } ?? .empty }
        log.onEntries = { position throws(LogFault) in
            kept.keys.filter { $0 >= position }.sorted().compactMap { kept[$0] }
        }
        return log
    }

    /// A negative control: what is unknown is taken for not done.
    fileprivate static func hopeful(_ log: MemoryLog) -> ForwardingLog {
        let hopeful = ForwardingLog(log)
        hopeful.onAppend = { entry throws(LogFault) in
            let outcome = try log.append(entry)
            if case .unknown(let why) = outcome { throw .refused(why) }
            return outcome
        }
        return hopeful
    }
}

/// A log whose entries are on one machine first, where they can be read, and on a second one when their insert was
/// acknowledged; and its machine may be lost.
private final class TwoMachines {
    private let memory = MemoryLog()
    private var durable: Int64 = 0
    /// How many of the next inserts are done, and not acknowledged.
    var cuts = 0

    /// `believesReads` is a negative control: it takes what can be read for done.
    func log(believesReads: Bool) -> ForwardingLog {
        let log = ForwardingLog(memory)
        log.onAppend = { [self] entry throws(LogFault) in
            let outcome = try memory.append(entry)
            guard case .appended = outcome else { return outcome }
            if cuts > 0 {
                cuts -= 1
                let found = try memory.entries(from: entry.position, maximumBytes: 0).first
                return believesReads && found == entry ? .appended : .unknown("the connection was cut")
            }
            durable = max(durable, entry.position)
            return .appended
        }
        return log
    }

    /// The second machine goes on with what it has.
    func promote() { memory.lose(behind: durable) }
}
