package import Contracts
import Database
import Delivery
import PostgreSQL
import ZeroMQ

/// How a group's commit log is at one time.
package struct LogSight: Equatable, Sendable {
    /// The primary, `host:port`.
    package let server: String
    /// It rises with each promotion; nil of an engine that has none.
    package let timeline: Int64?
    /// Why what is acknowledged may be lost with one machine; nil if it may not.
    package let weakness: String?
    /// The servers that follow the primary; nil if the engine does not tell.
    package let standbys: [Standby]?
    /// The last entry of each partition's log.
    package let heads: [PartitionAddress: Int64]
    /// Of each partition that nobody may claim before an operator has looked, why.
    package let quarantines: [PartitionAddress: String]
    /// Those of the wire; none where the group has one.
    package let hosts: [HostSight]
    /// The host of each partition's owner, where the group has several.
    package let owners: [PartitionAddress: String]

    package init(
        server: String,
        timeline: Int64?,
        weakness: String?,
        standbys: [Standby]?,
        heads: [PartitionAddress: Int64],
        quarantines: [PartitionAddress: String] = [:],
        hosts: [HostSight] = [],
        owners: [PartitionAddress: String] = [:]
    ) {
        self.server = server
        self.timeline = timeline
        self.weakness = weakness
        self.standbys = standbys
        self.heads = heads
        self.quarantines = quarantines
        self.hosts = hosts
        self.owners = owners
    }
}

extension GroupLog {
    /// Looks at the log of these partitions, and at the hosts of a wire, if the group has several.
    ///
    /// - Throws: `ConfigurationError`, with what is wrong with the log now.
    package func sight(
        of partitions: [PartitionAddress],
        and wire: Configuration.Wire? = nil
    ) throws(ConfigurationError) -> LogSight {
        try sight(of: partitions, and: wire, over: connection(.brief))
    }

    func sight(
        of partitions: [PartitionAddress],
        and wire: Configuration.Wire?,
        over connection: LogConnection
    ) throws(ConfigurationError) -> LogSight {
        do throws(LogFault) {
            try LogTables(connection).check()
            let view = try GroupRecords(connection).view()
            var heads: [PartitionAddress: Int64] = [:]
            for partition in partitions {
                guard let head = view.heads[partition.nameInLog] else {
                    throw .refused("the log has no partition \(partition.nameInLog)")
                }
                heads[partition] = head.position
            }
            let owners = view.owners
            let quarantined = Dictionary(
                uniqueKeysWithValues: owners.compactMap { owner in
                    owner.quarantine.map { (owner.partition, $0) }
                }
            )
            let several = wire.flatMap { $0.hosts.count > 1 ? $0 : nil }
            let signs = several == nil ? [] : view.members.compactMap(\.sign)
            let places = several == nil ? [:] : Self.hosts(of: owners)
            return LogSight(
                server: connection.primary.map { "\($0.host)" } ?? "",
                timeline: connection.primary?.timeline,
                weakness: connection.primary?.weakness,
                standbys: standbys(connection),
                heads: heads,
                quarantines: partitions.reduce(into: [:]) { $0[$1] = quarantined[$1.nameInLog] },
                hosts: several.map { HostSight.all(of: $0, signs) } ?? [],
                owners: partitions.reduce(into: [:]) { $0[$1] = places[$1.nameInLog] }
            )
        } catch {
            throw refusal(error)
        }
    }

    /// Lets a partition be claimed again whose log has lost what it had acknowledged.
    ///
    /// - Returns: false if the partition was not quarantined.
    /// - Throws: `ConfigurationError`, with what is wrong with the log now.
    package func resume(_ partition: PartitionAddress) throws(ConfigurationError) -> Bool {
        do throws(LogFault) {
            return try GroupRecords(connection(.brief)).resume(partition.nameInLog)
        } catch {
            throw refusal(error)
        }
    }

    /// The host of each partition that has an owner in the network.
    private static func hosts(of owners: [GroupRecords.Owner]) -> [String: String] {
        owners.reduce(into: [:]) { hosts, owner in
            if case .tcp(let host, _) = Endpoint(owner.endpoint) { hosts[owner.partition] = host }
        }
    }

    private func standbys(_ connection: LogConnection) -> [Standby]? {
        do throws(LogFault) {
            return try connection.standbys().map(Standby.init)
        } catch {
            return nil  // an engine that only speaks PostgreSQL's protocol
        }
    }
}
