import Database
import TestKit
import Testing

/// A watcher saw an owner silent, which had only waited for the log.
@Suite struct `a claim of a partition whose owner lives` {
    private let log = MemoryLog()
    private let owner: ReplicatedDatabase

    init() throws {
        owner = try Self.database(log)
        try owner.claim([1])
        try owner.write { _ = try $0.execute("CREATE TABLE note (id INTEGER PRIMARY KEY) STRICT", []) }
    }

    private static func database(_ log: any CommitLog) throws -> ReplicatedDatabase {
        let store = try SQLiteDatabase(path: ":memory:", isRecorded: true)
        let settings = ReplicatedDatabase.Settings(repeats: { _, _ in false }, end: { _ in })
        return try ReplicatedDatabase(store, log: log, settings: settings)
    }

    private func add() throws(LogFault) {
        do {
            try owner.write { _ = try $0.execute("INSERT INTO note DEFAULT VALUES", []) }
        } catch {
            throw .refused("\(error)")
        }
    }

    /// A log in which the owner's entry comes before the heir's first claim.
    private func contested() -> ForwardingLog {
        let contested = ForwardingLog(log)
        contested.onAppend = { [unowned contested, log] (entry) throws(LogFault) in
            contested.onAppend = nil
            try add()
            return try log.append(entry)
        }
        return contested
    }

    @Test func `is given up where the owner's entry comes first`() throws {
        let heir = try Self.database(contested())
        let wanted = StoreError.taken("its owner has written meanwhile, and lives")
        #expect(throws: wanted) { try heir.claim([2], after: owner.head.epoch) }
        try add()
        #expect(try log.head() == owner.head, "the owner goes on")
    }

    @Test func `goes on behind the entry of who is known to be gone by no epoch`() throws {
        let heir = try Self.database(contested())
        try heir.claim([2])
        #expect(try heir.write { try $0.value("SELECT COUNT(*) FROM note") } == 1)
        #expect(throws: LogFault.self, "the former owner is fenced") { try add() }
    }
}
