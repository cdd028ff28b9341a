package import Database

/// A commit log in front of another one, which does what a test says in place of a call, and else what the other does.
package final class ForwardingLog: CommitLog {
    private let log: any CommitLog
    /// Told to whoever asks for it.
    package var lineage: LogLineage?
    /// What a store has said of its log.
    package private(set) var expected: LogLineage?
    package var onAppend: ((LogEntry) throws(LogFault) -> AppendOutcome)?
    package var onHead: (() throws(LogFault) -> LogHead)?
    /// From a position on.
    package var onEntries: ((Int64) throws(LogFault) -> [LogEntry])?
    /// Before a part of a snapshot is written.
    package var onWrite: (() throws(LogFault) -> Void)?
    /// Before a part of a snapshot is read.
    package var onRead: ((LogSnapshot) throws(LogFault) -> Void)?
    /// What a part of a snapshot is when it comes back.
    package var onPart: (([UInt8]) -> [UInt8])?

    package init(_ log: any CommitLog = MemoryLog()) { self.log = log }

    package func expect(_ lineage: LogLineage) { expected = lineage }

    package func append(_ entry: LogEntry) throws(LogFault) -> AppendOutcome {
        guard let onAppend else { return try log.append(entry) }
        return try onAppend(entry)
    }

    package func head() throws(LogFault) -> LogHead {
        guard let onHead else { return try log.head() }
        return try onHead()
    }

    package func entries(from position: Int64, maximumBytes: Int) throws(LogFault) -> [LogEntry] {
        guard let onEntries else { return try log.entries(from: position, maximumBytes: maximumBytes) }
        return try onEntries(position)
    }

    package func write(part: [UInt8], number: Int, of name: SnapshotName) throws(LogFault) {
        if let onWrite { try onWrite() }
        try log.write(part: part, number: number, of: name)
    }

    package func keep(_ snapshot: LogSnapshot) throws(LogFault) { try log.keep(snapshot) }

    package func snapshots() throws(LogFault) -> [LogSnapshot] { try log.snapshots() }

    package func part(_ number: Int, of snapshot: LogSnapshot) throws(LogFault) -> [UInt8] {
        if let onRead { try onRead(snapshot) }
        let bytes = try log.part(number, of: snapshot)
        return onPart?(bytes) ?? bytes
    }

    package func pruneSome(below position: Int64) throws(LogFault) -> Bool {
        try log.pruneSome(below: position)
    }
}
