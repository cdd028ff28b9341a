import Database
import Delivery
import NIOConcurrencyHelpers
import PostgreSQL

/// What one process reads of its group, which all parts of the process share.
///
/// Each part says how old a reading may be: the steward that watches partitions and replicas, the copies that follow
/// logs, whoever speaks to owners, and the catalog. So one statement each 250 ms serves all of them, however many
/// partitions there are. On one host without a wire a process that has all partitions of its service asks nothing.
///
/// | asked for | answered with |
/// |---|---|
/// | what was read at a time, or later, where the last reading is as new | the last reading |
/// | the same, where it is older | a statement, for which who asks meanwhile waits, too |
/// | anything within a second of a silence or a refusal | `unreachable`, and nobody is asked but for a quarantine |
/// | anything when all owners' rows have stood still for 2 s | a statement to the primary, which is looked for anew |
package final class GroupReadings: @unchecked Sendable {  // all but `uptime` is used under `lock`
    /// So old is what a part takes that watches something.
    static let freshMilliseconds: Int64 = 250
    /// For how long nobody is asked again after a silence: many parts may ask in turn.
    static let silenceMilliseconds: Int64 = 1_000

    /// What was read, and when it was asked for and there, in ms.
    struct Reading {
        let view: GroupView
        let began: Int64
        let ended: Int64
    }

    /// The group's log, for one thread at a time.
    struct Source {
        /// Fails unless it is this group's; a process may begin before PostgreSQL says so.
        var check: () throws(LogFault) -> Void
        var read: () throws(LogFault) -> GroupView
        var quarantine: (_ partition: String, _ why: String) throws(LogFault) -> Void
        /// Lets the next statement find the primary anew.
        var disconnect: () -> Void
    }

    private let lock = NIOLock()
    private let source: Source
    private let uptime: @Sendable () -> Int64
    private var isOwn = false
    private var last: Reading?
    private var standstill = OwnerStandstill()
    /// Since when nobody answers, and what was said then.
    private var silence: (since: Int64, why: String)?

    /// Connects when it is first needed.
    package convenience init(_ log: GroupLog) {
        let connection = log.connection(.brief)
        let records = GroupRecords(connection)
        self.init(
            Source(
                check: { () throws(LogFault) in try log.look(over: connection) },
                read: { () throws(LogFault) in try records.view() },
                quarantine: { (partition, why) throws(LogFault) in try records.quarantine(partition, why) },
                disconnect: connection.disconnect
            )
        )
    }

    /// `uptime` is a clock that only moves forward, in ms.
    init(_ source: Source, uptime: @escaping @Sendable () -> Int64 = { ClockReading.current().uptime }) {
        self.source = source
        self.uptime = uptime
    }

    /// What was read last, if it was asked for at `uptime` or later, or what is read now.
    ///
    /// - Throws: `LogFault.unreachable`, also for what is refused now and may be taken later; other `LogFault`.
    func reading(notBefore uptime: Int64) throws(LogFault) -> Reading {
        try asking { () throws(LogFault) in
            if let last, last.began >= uptime { return last }
            let reading = try read()
            last = reading
            return reading
        }
    }

    /// The same, which began so long ago at most.
    func fresh(within milliseconds: Int64 = freshMilliseconds) throws(LogFault) -> Reading {
        try reading(notBefore: uptime() - milliseconds)
    }

    /// Writes into the log that nobody may claim a partition.
    ///
    /// It is tried within a silence, too: who says it is about to end, and may be the only one that knows what a new
    /// primary lacks.
    ///
    /// - Throws: as `reading`.
    func quarantine(_ partition: String, _ why: String) throws(LogFault) {
        try asking(isUrgent: true) { () throws(LogFault) in
            last = nil
            try source.quarantine(partition, why)
        }
    }

    private func read() throws(LogFault) -> Reading {
        if !isOwn { try source.check() }
        isOwn = true
        let reading = try readOnce()
        guard standstill.note(reading.view.owners, at: reading.ended) else { return reading }
        // A primary that was replaced says so for ever: nobody judges by it.
        source.disconnect()
        let other = try readOnce()
        _ = standstill.note(other.view.owners, at: other.ended)
        return other
    }

    private func readOnce() throws(LogFault) -> Reading {
        let began = uptime()
        let view = try source.read()
        return Reading(view: view, began: began, ended: uptime())
    }

    private func asking<Value>(
        isUrgent: Bool = false,
        _ body: () throws(LogFault) -> Value
    ) throws(LogFault) -> Value {
        lock.lock()
        defer { lock.unlock() }
        if !isUrgent, let silence, uptime() - silence.since < Self.silenceMilliseconds {
            throw .unreachable(silence.why)
        }
        silence = nil
        do throws(LogFault) {
            return try body()
        } catch {
            last = nil
            switch error {
            // What is refused, such as by a primary that has lost its last standby, may be taken later.
            case .unreachable(let why), .refused(let why):
                silence = (uptime(), why)
                throw .unreachable(why)
            case .pruned, .unreadable: throw error
            }
        }
    }
}

extension LogLimits {
    /// For a look at others' partitions, which is repeated.
    static var brief: LogLimits {
        var limits = LogLimits()
        limits.connect = 1_500
        limits.call = 2_000
        return limits
    }
}
