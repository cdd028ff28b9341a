import Database
import ZeroMQ

/// A partition's log whose waits are no silence: the owner's heartbeats are answered while it waits for PostgreSQL.
///
/// The log itself bounds each wait.
final class AttendedLog: PartitionLog, CommitLog {
    private let log: any PartitionLog
    private let beats: Heartbeats

    init(_ log: any PartitionLog, _ beats: Heartbeats) {
        self.log = log
        self.beats = beats
    }

    var commits: any CommitLog { self }

    func renew(at head: LogHead, endpoint: Endpoint?) throws -> OwnerRenewal {
        let wasWorking = beats.end()
        defer { if wasWorking { beats.begin() } }
        return try log.renew(at: head, endpoint: endpoint)
    }

    private func attended<Value>(
        _ call: (any CommitLog) throws(LogFault) -> Value
    ) throws(LogFault) -> Value {
        let wasWorking = beats.end()
        defer { if wasWorking { beats.begin() } }
        return try call(log.commits)
    }

    func append(_ entry: LogEntry) throws(LogFault) -> AppendOutcome {
        try attended { log throws(LogFault) in try log.append(entry) }
    }

    func head() throws(LogFault) -> LogHead {
        try attended { log throws(LogFault) in try log.head() }
    }

    func entries(from position: Int64, maximumBytes: Int) throws(LogFault) -> [LogEntry] {
        try attended { log throws(LogFault) in try log.entries(from: position, maximumBytes: maximumBytes) }
    }

    func write(part: [UInt8], number: Int, ofSnapshotAt head: LogHead) throws(LogFault) {
        try attended { log throws(LogFault) in
            try log.write(part: part, number: number, ofSnapshotAt: head)
        }
    }

    func keep(_ snapshot: LogSnapshot) throws(LogFault) {
        try attended { log throws(LogFault) in try log.keep(snapshot) }
    }

    func snapshots() throws(LogFault) -> [LogSnapshot] {
        try attended { log throws(LogFault) in try log.snapshots() }
    }

    func part(_ number: Int, of snapshot: LogSnapshot) throws(LogFault) -> [UInt8] {
        try attended { log throws(LogFault) in try log.part(number, of: snapshot) }
    }

    func prune(below position: Int64) throws(LogFault) {
        try attended { log throws(LogFault) in try log.prune(below: position) }
    }
}
