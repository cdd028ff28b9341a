import Database
import Testing

@Suite struct `a commit log` {
    private let log = MemoryLog()

    private func entry(_ position: Int64, epoch: Int64 = 1, _ byte: UInt8 = 0) -> LogEntry {
        LogEntry(position: position, epoch: epoch, kind: .rows, bytes: [byte])
    }

    private func claim(_ position: Int64, epoch: Int64, _ claimant: UInt8 = 1) -> LogEntry {
        LogEntry(claimAfter: LogHead(position: position - 1, epoch: epoch - 1), claimant: [claimant])
    }

    @Test func `holds one entry at a position, and takes the same one again`() throws {
        #expect(try log.append(entry(1)) == .taken, "nobody owns an empty log")
        #expect(try log.append(claim(1, epoch: 1)) == .appended)
        #expect(try log.append(claim(1, epoch: 1)) == .appended)
        #expect(try log.append(claim(1, epoch: 1, 2)) == .taken)
        #expect(try log.append(entry(2)) == .appended)
        #expect(try log.append(entry(2)) == .appended)
        #expect(try log.append(entry(2, 7)) == .taken)
        #expect(try log.append(entry(4)) == .behind(LogHead(position: 2, epoch: 1)))
        #expect(try log.head() == LogHead(position: 2, epoch: 1))
    }

    @Test func `takes nothing of an owner after the next claim`() throws {
        #expect(try log.append(claim(1, epoch: 1)) == .appended)
        #expect(try log.append(claim(2, epoch: 2)) == .appended)
        #expect(try log.append(entry(2)) == .taken)
        #expect(try log.append(entry(3)) == .taken, "its epoch is over, whatever position it knows")
        #expect(try log.append(claim(3, epoch: 2)) == .taken, "two claims have no epoch in common")
        #expect(try log.append(entry(3, epoch: 2)) == .appended)
    }

    @Test func `gives entries in order, in pieces of a size`() throws {
        let all = [claim(1, epoch: 1)] + (2...9).map { entry($0) }
        for entry in all { #expect(try log.append(entry) == .appended) }
        #expect(try log.entries(from: 1, maximumBytes: 1_000) == all)
        #expect(try log.entries(from: 3, maximumBytes: 2) == Array(all[2...3]))
        #expect(try log.entries(from: 9, maximumBytes: 0) == [all[8]], "one at least")
        #expect(try log.entries(from: 10, maximumBytes: 10).isEmpty)
    }

    @Test func `is pruned below a snapshot alone`() throws {
        for entry in [claim(1, epoch: 1)] + (2...5).map({ entry($0) }) {
            #expect(try log.append(entry) == .appended)
        }
        let snapshot = LogSnapshot(head: LogHead(position: 4, epoch: 1), parts: 2, bytes: 3)
        #expect(throws: LogFault.self) { try log.prune(below: 4) }
        try log.write(part: [1, 2], number: 0, ofSnapshotAt: snapshot.head)
        #expect(throws: LogFault.self) { try log.keep(snapshot) }
        #expect(try log.snapshots().isEmpty)
        try log.write(part: [3], number: 1, ofSnapshotAt: snapshot.head)
        try log.keep(snapshot)
        try log.keep(snapshot)
        #expect(try log.snapshots() == [snapshot])
        #expect(try log.part(1, of: snapshot) == [3])
        #expect(throws: LogFault.self) { try log.prune(below: 5) }
        try log.prune(below: 4)
        #expect(throws: LogFault.pruned(first: 4)) { try log.entries(from: 3, maximumBytes: 10) }
        #expect(try log.append(entry(3)) == .taken)
        #expect(try log.entries(from: 4, maximumBytes: 10) == [entry(4), entry(5)])
        #expect(try log.append(entry(6)) == .appended)
    }

    @Test func `keeps no snapshot of another history`() throws {
        #expect(try log.append(claim(1, epoch: 1)) == .appended)
        let foreign = LogSnapshot(head: LogHead(position: 1, epoch: 2), parts: 0, bytes: 0)
        #expect(throws: LogFault.self) { try log.keep(foreign) }
    }
}
