import Database
import Testing

@Suite struct `a log that has lost what it acknowledged` {
    private let log = MemoryLog()
    private final class Said { var alarms: [String] = [], ends: [String] = [], proofs = 0 }
    private let said = Said()

    /// An owner with so many notes.
    private func owner(of store: SQLiteDatabase, notes: Range<Int>) throws -> ReplicatedDatabase {
        var settings = ReplicatedDatabase.Settings(
            repeats: { count, _ in count < 3 },
            end: { [said] in said.ends.append($0) }
        )
        settings.alarm = { [said] in said.alarms.append($0) }
        settings.prove = { [said] in said.proofs += 1 }
        let database = try ReplicatedDatabase(store, log: log, settings: settings)
        try database.claim([UInt8.random(in: 0...255), UInt8.random(in: 0...255)])
        try database.write { _ = try $0.execute(FaithfulOwner.table, []) }
        for note in notes { try add(note, to: database) }
        return database
    }

    private func add(_ note: Int, to database: ReplicatedDatabase) throws {
        try database.write { _ = try $0.execute("INSERT INTO note (id) VALUES (\(note))") }
    }

    private func store() throws -> SQLiteDatabase { try SQLiteDatabase(path: ":memory:", isRecorded: true) }

    private func replayed() throws -> SQLiteDatabase {
        let copy = try SQLiteDatabase(path: ":memory:")
        try LogFollower(copy).catchUp(with: log)
        return copy
    }

    @Test(arguments: 1...6) func `gets it again from its owner, who goes on and alarms`(kept: Int64) throws {
        let store = try store()
        let database = try owner(of: store, notes: 0..<5)
        #expect(log.entries.count == 7)
        log.lose(behind: kept)
        try add(5, to: database)
        #expect(said.alarms.count == 1)
        #expect(said.ends.isEmpty)
        #expect(log.entries.map(\.position) == Array(1...8))
        #expect(try StoreComparison.firstDifference(store, replayed()) == nil)
    }

    @Test func `gets it again outside of a transaction, too`() throws {
        let store = try store()
        let database = try owner(of: store, notes: 0..<5)
        log.lose(behind: 3)
        try database.mend(after: log.head())
        #expect(try log.head() == database.head)
        #expect(try StoreComparison.firstDifference(store, replayed()) == nil)
    }

    @Test func `and loses some again while it is mended is mended again`() throws {
        let store = try store()
        let database = try owner(of: store, notes: 0..<5)
        log.lose(behind: 2)
        var left = 1
        log.trouble = { [log] entry in
            if entry.position == 5, left > 0 {
                left -= 1
                log.lose(behind: 3)
            }
            return nil
        }
        try add(5, to: database)
        #expect(said.ends.isEmpty)
        #expect(said.alarms.count == 2)
        #expect(try StoreComparison.firstDifference(store, replayed()) == nil)
    }

    @Test func `of which an heir holds too little ends the heir, who writes nothing`() throws {
        let store = try store()
        _ = try owner(of: store, notes: 0..<5)
        let heir = try owner(of: store, notes: 5..<6)
        log.lose(behind: 4)
        #expect(throws: StoreError.self) { try add(6, to: heir) }
        #expect(said.ends.count == 1)
        #expect(log.entries.count == 4)
        #expect(throws: StoreError.self) { try add(7, to: heir) }
        #expect(throws: LogFollowerFault.self, "the next one does not go on silently, either") {
            try owner(of: store, notes: 8..<9)
        }
    }

    @Test func `and has another owner since is left to that one`() throws {
        let store = try store()
        let database = try owner(of: store, notes: 0..<5)
        log.lose(behind: 4)
        let other = try owner(of: try self.store(), notes: 100..<101)
        #expect(throws: StoreError.self) { try add(5, to: database) }
        try add(101, to: other)
        #expect(said.alarms.isEmpty)
        #expect(log.entries.allSatisfy { $0.position <= 4 || $0.epoch == other.head.epoch })
    }

    @Test func `asks for a proof after each transaction that changed nothing, and after no other`() throws {
        let database = try owner(of: try store(), notes: 0..<5)
        let before = said.proofs
        try add(5, to: database)
        #expect(said.proofs == before)
        try database.write { _ = try $0.rows("SELECT * FROM note", []) }
        #expect(said.proofs == before + 1)
    }
}
