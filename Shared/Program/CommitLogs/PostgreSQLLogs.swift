package import Contracts
package import Database
package import Delivery
import PostgreSQL
import ZeroMQ

/// The commit logs of a group's partitions in PostgreSQL, as one process uses them.
///
/// Each partition that is owned has a connection of its own, on its own thread. What is looked at besides shares one.
package final class PostgreSQLLogs: PartitionLogs {
    private let log: GroupLog
    private let readings: GroupReadings
    private let endpoints: any Endpoints
    private let host: HostMark

    /// Of a home whose folders are there; `endpoints` are those of the partitions that this host owns.
    ///
    /// - Throws: `ConfigurationError`.
    package init(
        _ log: GroupLog,
        _ readings: GroupReadings,
        of home: Home,
        endpoints: any Endpoints
    ) throws(ConfigurationError) {
        self.log = log
        self.readings = readings
        self.endpoints = endpoints
        host = try HostMark(storesIn: home.dataFolder)
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

    /// What is seen of a partition's owner, in what all parts of the process share.
    ///
    /// - Throws: `LogFault`.
    package func read(_ partition: PartitionAddress, notBefore uptime: Int64) throws -> OwnerReading {
        let reading = try readings.reading(notBefore: uptime)
        let name = partition.nameInLog
        guard let head = reading.view.heads[name] else {
            throw LogFault.refused("the log has no partition \(name)")
        }
        let found = reading.view.owners.first { $0.partition == name }
        var sign = OwnerSign(
            position: head.position,
            epoch: head.epoch,
            renewal: found.map { ($0.epoch, $0.counter, holder($0.endpoint, of: partition)) }
        )
        sign.isQuarantined = found?.quarantine != nil
        return OwnerReading(sign, began: reading.began, ended: reading.ended)
    }

    /// Writes into the log that nobody may claim a partition.
    ///
    /// - Throws: `LogFault`.
    package func quarantine(_ partition: PartitionAddress, _ why: String) throws {
        try readings.quarantine(partition.nameInLog, why)
    }

    private func holder(_ endpoint: String, of partition: PartitionAddress) -> OwnerSign.Holder {
        if endpoint.isEmpty { return .nobody }
        return endpoint == host.text(of: endpoints.announcedEndpoint(of: partition)) ? .here : .elsewhere
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
