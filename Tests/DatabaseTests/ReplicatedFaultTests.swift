import Foundation
import TestKit
import Testing

@testable import Database

@Suite struct `the owner of a store behind a commit log` {
    private let log = MemoryLog()

    private func database(
        _ store: SQLiteDatabase,
        _ log: any CommitLog,
        attempts: Int = 1
    ) throws
        -> ReplicatedDatabase
    {
        let settings = ReplicatedDatabase.Settings(repeats: { count, _ in count < attempts }, end: { _ in })
        return try ReplicatedDatabase(store, log: log, settings: settings)
    }

    private func recorded() throws -> SQLiteDatabase {
        try SQLiteDatabase(path: ":memory:", isRecorded: true)
    }

    @Test func `is told that another one has the partition, and not that its store is another one's`() throws
    {
        let (first, second) = (try database(recorded(), log), try database(recorded(), log))
        try first.claim([1])
        try second.claim([2])
        let fault = #expect(throws: StoreError.self) {
            try first.write { _ = try $0.execute(FaithfulOwner.table, []) }
        }
        guard case .taken? = fault else { throw Unexpected() }
    }

    @Test func `is told the same where it loses every race for the partition`() throws {
        let racing = ForwardingLog.racing()
        let fault = #expect(throws: StoreError.self) { try database(recorded(), racing).claim([1]) }
        guard case .taken? = fault else { throw Unexpected() }
    }

    /// The disk could refuse the pages at COMMIT, when the log has the entry; and again for each next owner.
    @Test func `has the changes on its disk before the log has the entry`() throws {
        let folder = try StoreFolder()
        let store = try SQLiteDatabase(path: folder.path, isRecorded: true)
        let database = try database(store, log)
        try database.claim([1])
        try database.write { _ = try $0.execute("CREATE TABLE blobs (bytes BLOB)", []) }
        func bytes() throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "-wal")
            return (attributes[.size] as? Int) ?? 0
        }
        let before = try bytes()
        var whenAppended = 0
        log.trouble = { _ in
            do { whenAppended = try bytes() } catch { Issue.record(error) }
            return nil
        }
        try database.write { _ = try $0.execute("INSERT INTO blobs VALUES (zeroblob(100000))", []) }
        #expect(whenAppended - before > 100_000)
        try database.close()
    }

    @Test func `does not begin with a store that no entry has made`() throws {
        let store = try recorded()
        try store.write { _ = try $0.execute(FaithfulOwner.table, []) }
        #expect(throws: LogFollowerFault.foreign(table: "note")) { try database(store, log).claim([1]) }
        #expect(log.entries.isEmpty)
    }

    @Test func `does not roll a restored store forward to what was undone`() throws {
        let store = try recorded()
        let first = try database(store, log)
        try first.claim([1])
        try first.write { _ = try $0.execute(FaithfulOwner.table, []) }
        try store.write { try LogFollower.forget($0) }
        #expect(throws: LogFollowerFault.foreign(table: "note")) { try database(store, log).claim([2]) }
    }

    /// Both have as many entries, and epochs that one could count.
    @Test func `finds that a log has lost its entries and went on with another owner's`() throws {
        let store = try recorded()
        let first = try database(store, log)
        try first.claim([1])
        try first.write { _ = try $0.execute(FaithfulOwner.table, []) }
        let other = MemoryLog()
        let second = try database(recorded(), other)
        try second.claim([2])
        try second.write { _ = try $0.execute("CREATE TABLE other (id INTEGER)", []) }
        #expect(try other.head().position == log.head().position)
        let fault = #expect(throws: LogFollowerFault.self) { try database(store, other).claim([3]) }
        guard case .diverged? = fault else { throw Unexpected() }
    }

    @Test func `takes for unknown what is refused after an attempt that was not clear`() throws {
        let answers = Answers()
        let store = try recorded()
        var ends = 0
        let settings = ReplicatedDatabase.Settings(
            repeats: { count, _ in count < 2 },
            end: { _ in ends += 1 }
        )
        let database = try ReplicatedDatabase(store, log: answers.log(), settings: settings)
        try database.claim([1])
        answers.next = [.unknown("cut"), .refused]
        #expect(throws: StoreError.self) {
            try database.write { _ = try $0.execute(FaithfulOwner.table, []) }
        }
        #expect(ends == 1, "another entry in its place would be a second history")
        answers.next = []
        #expect(throws: StoreError.self) {
            try database.write { _ = try $0.execute("CREATE TABLE t (x)", []) }
        }
    }

    @Test func `goes on where an entry was refused at once`() throws {
        let answers = Answers()
        let database = try database(recorded(), answers.log())
        try database.claim([1])
        answers.next = [.refused]
        #expect(throws: StoreError.self) {
            try database.write { _ = try $0.execute(FaithfulOwner.table, []) }
        }
        try database.write { _ = try $0.execute(FaithfulOwner.table, []) }
    }

    @Test func `tells the next process which history of the log its store is of`() throws {
        let former = ForwardingLog()
        former.lineage = LogLineage(system: -5, timeline: 3)
        let store = try recorded()
        let first = try database(store, former)
        try first.claim([1])
        former.lineage = LogLineage(system: -5, timeline: 4)
        try first.write { _ = try $0.execute(FaithfulOwner.table, []) }
        let heir = ForwardingLog()
        _ = try database(store, heir)
        #expect(heir.expected == LogLineage(system: -5, timeline: 4))
    }

    @Test func `is refused a transaction that is larger than an entry before the log is asked`() throws {
        let store = try recorded()
        let database = try database(store, log)
        try database.claim([1])
        try database.write { _ = try $0.execute("CREATE TABLE blobs (bytes BLOB)", []) }
        let count = log.entries.count
        let fault = #expect(throws: StoreError.self) {
            try database.write { connection in
                for _ in 0..<3 {
                    try connection.execute(
                        "INSERT INTO blobs VALUES (zeroblob(\(LogEntry.maximumBytes / 2)))",
                        []
                    )
                }
            }
        }
        #expect("\(String(describing: fault))".contains("\(LogEntry.maximumBytes) bytes"))
        #expect(log.entries.count == count)
    }
}

private struct Unexpected: Error {}

/// What a log answers next; then it is as any other.
private final class Answers {
    enum Answer {
        case unknown(String)
        case refused
    }

    var next: [Answer] = []

    func log() -> ForwardingLog {
        let memory = MemoryLog()
        let log = ForwardingLog(memory)
        log.onAppend = { entry throws(LogFault) in
            guard !self.next.isEmpty else { return try memory.append(entry) }
            switch self.next.removeFirst() {
            case .unknown(let why): return .unknown(why)
            case .refused: throw .refused("no right")
            }
        }
        return log
    }
}

extension ForwardingLog {
    /// A log in which others are always faster.
    fileprivate static func racing() -> ForwardingLog {
        let memory = MemoryLog()
        let log = ForwardingLog(memory)
        var others: UInt8 = 1
        log.onAppend = { entry throws(LogFault) in
            others += 1
            _ = try memory.claim(after: memory.head(), claimant: [others])
            return try memory.append(entry)
        }
        return log
    }
}
