import Database
import Testing

@Suite struct `a commit log` {
    private let log = MemoryLog()

    private func entry(_ position: Int64, epoch: Int64 = 1, _ byte: UInt8 = 0) -> LogEntry {
        LogEntry(position: position, epoch: epoch, kind: .rows, bytes: [byte])
    }

    private func claim(_ position: Int64, epoch: Int64, _ claimant: UInt8 = 1) -> LogEntry {
        LogEntry(position: position, epoch: epoch, formerEpoch: epoch - 1, kind: .claim, bytes: [claimant])
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
        let name = SnapshotName(head: LogHead(position: 4, epoch: 1))
        let snapshot = LogSnapshot(name: name, parts: 2, bytes: 3, digest: 0)
        #expect(throws: LogFault.self) { try log.prune(below: 4) }
        try log.write(part: [1, 2], number: 0, of: name)
        #expect(throws: LogFault.self) { try log.keep(snapshot) }
        #expect(try log.snapshots().isEmpty)
        try log.write(part: [3], number: 1, of: name)
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
        let name = SnapshotName(head: LogHead(position: 1, epoch: 2))
        let foreign = LogSnapshot(name: name, parts: 0, bytes: 0, digest: 0)
        #expect(throws: LogFault.self) { try log.keep(foreign) }
    }

    @Test func `does not mix two copies that are written at once`() throws {
        #expect(try log.append(claim(1, epoch: 1)) == .appended)
        let head = try log.head()
        let (first, second) = (SnapshotName(head: head), SnapshotName(head: head))
        try log.write(part: [1], number: 0, of: first)
        try log.write(part: [2], number: 0, of: second)
        try log.write(part: [2], number: 1, of: second)
        #expect(throws: LogFault.self, "its second part is the other one's") {
            try log.keep(LogSnapshot(name: first, parts: 2, bytes: 2, digest: 0))
        }
        let snapshot = LogSnapshot(name: second, parts: 2, bytes: 2, digest: 0)
        try log.keep(snapshot)
        try log.write(part: [1], number: 1, of: first)
        try log.keep(LogSnapshot(name: first, parts: 2, bytes: 2, digest: 0))
        #expect(try log.snapshots() == [snapshot])
        #expect(try log.part(0, of: snapshot) == [2])
    }

    @Test func `tells two claims behind one entry apart, and what follows them`() throws {
        let (one, other) = (
            LogEntry(claimAfter: .empty, claimant: [1]), LogEntry(claimAfter: .empty, claimant: [2])
        )
        #expect(one.epoch != other.epoch && min(one.epoch, other.epoch) > 0)
        #expect(try log.append(one) == .appended)
        let next = LogEntry(position: 2, epoch: other.epoch, kind: .rows, bytes: [])
        #expect(try log.append(next) == .taken)
        #expect(try log.append(LogEntry(claimAfter: other.head, claimant: [3])) == .taken)
        #expect(try log.append(LogEntry(claimAfter: one.head, claimant: [3])) == .appended)
    }
}
