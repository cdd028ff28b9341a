package import Contracts
package import Database
package import Delivery
import NIOConcurrencyHelpers
import PostgreSQL
import ZeroMQ

/// The commit logs of a group's partitions in PostgreSQL, as one process uses them.
///
/// Each partition that is owned has a connection of its own, on its own thread. What is looked at besides shares one.
package final class PostgreSQLLogs: PartitionLogs, @unchecked Sendable {  // `watched` is used under `lock`
    /// For how long nobody is asked again after a silence: many partitions may be looked at in turn.
    private static let silenceMilliseconds: Int64 = 1_000

    private struct Watched {
        let connection: LogConnection
        var logs: [PartitionAddress: PostgreSQLLog] = [:]
        var standstill = OwnerStandstill()
        /// Whether it is this group's log; a process may begin before PostgreSQL says so.
        var isOwn = false
        /// Since when nobody answers, and what was said then.
        var silence: (since: Int64, why: String)?
    }

    private let log: GroupLog
    private let endpoints: any Endpoints
    private let host: HostMark
    private let lock = NIOLock()
    private var watched: Watched

    /// Of a home whose folders are there; `endpoints` are those of the partitions that this host owns.
    ///
    /// - Throws: `ConfigurationError`.
    package init(_ log: GroupLog, of home: Home, endpoints: any Endpoints) throws(ConfigurationError) {
        self.log = log
        self.endpoints = endpoints
        host = try HostMark(storesIn: home.dataFolder)
        watched = Watched(connection: log.connection(.brief))
    }

    /// The log of a partition, over a connection of its own.
    package func open(
        _ partition: PartitionAddress,
        whileWaiting: @escaping (_ isLong: Bool) -> Void
    ) -> any PartitionLog {
        let connection = log.connection()
        connection.whileWaiting = whileWaiting
        return LoggedCommits(connection, of: partition, on: host)
    }

    /// The logs of partitions that others own, over one connection, for the thread that calls what is returned.
    package func reader() -> (PartitionAddress) -> any CommitLog {
        let connection = log.connection()
        return { PostgreSQLLog(connection, partition: $0.nameInLog) }
    }

    /// What is seen of a partition's owner now.
    ///
    /// - Throws: `LogFault`.
    package func sign(of partition: PartitionAddress) throws -> OwnerSign {
        try asking { try look(at: partition) }
    }

    /// Writes into the log that nobody may claim a partition.
    ///
    /// - Throws: `LogFault`.
    package func quarantine(_ partition: PartitionAddress, _ why: String) throws {
        try asking { try GroupRecords(watched.connection).quarantine(partition.nameInLog, why) }
    }

    private func asking<Value>(_ body: () throws -> Value) throws -> Value {
        try lock.withLock {
            let now = ClockReading.current().uptime
            if let silence = watched.silence, now - silence.since < Self.silenceMilliseconds {
                throw LogFault.unreachable(silence.why)
            }
            do {
                watched.silence = nil
                return try body()
            } catch LogFault.unreachable(let why) {
                watched.silence = (ClockReading.current().uptime, why)
                throw LogFault.unreachable(why)
            } catch LogFault.refused(let why) {
                // Such as a primary that has lost its last standby: nothing is taken meanwhile.
                watched.silence = (ClockReading.current().uptime, why)
                throw LogFault.unreachable(why)
            }
        }
    }

    private func look(at partition: PartitionAddress) throws -> OwnerSign {
        if !watched.isOwn { try log.look(over: watched.connection) }
        watched.isOwn = true
        let name = partition.nameInLog
        let commits = watched.logs[partition] ?? PostgreSQLLog(watched.connection, partition: name)
        watched.logs[partition] = commits
        let head = try commits.head()
        let owners = try GroupRecords(watched.connection).owners()
        let now = ClockReading.current().uptime
        if watched.standstill.note(owners, at: now) { watched.connection.disconnect() }
        let found = owners.first { $0.partition == name }
        var sign = OwnerSign(
            position: head.position,
            epoch: head.epoch,
            renewal: found.map { ($0.epoch, $0.counter, holder($0.endpoint, of: partition)) }
        )
        sign.isQuarantined = found?.quarantine != nil
        return sign
    }

    private func holder(_ endpoint: String, of partition: PartitionAddress) -> OwnerSign.Holder {
        if endpoint.isEmpty { return .nobody }
        return endpoint == host.text(of: endpoints.announcedEndpoint(of: partition)) ? .here : .elsewhere
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

/// The log of one partition that a process of this host owns, or wants to.
private final class LoggedCommits: PartitionLog {
    let commits: any CommitLog
    private let records: GroupRecords
    private let partition: String
    private let host: HostMark

    init(_ connection: LogConnection, of partition: PartitionAddress, on host: HostMark) {
        self.partition = partition.nameInLog
        self.host = host
        commits = PostgreSQLLog(connection, partition: self.partition)
        records = GroupRecords(connection)
    }

    func renew(at head: LogHead, endpoint: Endpoint?) throws -> OwnerRenewal {
        do throws(LogFault) {
            let text = endpoint.map(host.text) ?? ""
            switch try records.renew(partition, at: head, endpoint: text) {
            case .renewed(let counter): return .renewed(counter: counter)
            case .taken: return .taken
            case .behind(let end): return .behind(end)
            case .unknown(let why): return .unknown(why)
            }
        } catch {
            // What PostgreSQL refuses now it may take again, as soon as it has a standby.
            guard case .refused(let why) = error else { throw error }
            return .unknown(why)
        }
    }
}
