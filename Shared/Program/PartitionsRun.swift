import Contracts
import Database
import Delivery
import Glibc
import Logging
import ServiceLifecycle
import ZeroMQ

/// Runs partitions live with the home's stores and sockets, until the process is asked to end.
struct PartitionsRun<Program: StatefulProgram> {
    let command: StatefulCommand<Program>
    let home: Home

    func run(_ service: Program.Partitioned) async throws {
        let configuration = try Configuration(of: home)
        try home.makeFolders()
        let name = Program.Partitioned.name.rawValue
        let logger = command.common.logger(for: name)
        home.warnOfTest(configuration, logger)
        let log = try configuration.store.map { try GroupLog($0, of: home) }
        let wait = try await LogWait(for: log, logger)
        let readings = log.map { GroupReadings($0) }
        if let log, let readings, configuration.wire != nil { GroupCatalog(log, of: home).follow(readings) }
        let settings = try settings(configuration, log.flatMap { log in readings.map { (log, $0) } }, logger)
        let host = PartitionHost(service: service, settings: settings)
        logger.info(
            "Program started",
            metadata: .init([.home: "\(home.root)", .pid: "\(getpid())", .configuration: "\(home.version)"])
        )
        // The host ends first, and with it every wait for PostgreSQL.
        let parts: [(any Service)?] = [wait, HostPart(host: host, log: log)]
        try await Launch.run(parts.compactMap(\.self), logger: logger, heartbeat: host.heartbeat)
        logger.info("Program ended")
    }

    private func settings(
        _ configuration: Configuration,
        _ group: (log: GroupLog, readings: GroupReadings)?,
        _ logger: Logger
    ) throws -> HostSettings {
        let service = Program.Partitioned.name
        let name = service.rawValue
        let replica = command.common.replica
        let dataFolder = "\(home.dataFolder)/\(service.rawValue)"
        let members = home.memberFolder(of: service)
        let wire = try home.wire(of: configuration, group?.readings)
        var settings = HostSettings(
            partitions: configuration.partitions,
            replica: replica,
            dataFolder: dataFolder,
            ownership: FolderLocks(dataFolder: dataFolder, membersFolder: members, replica: replica),
            endpoints: wire.endpoints,
            sockets: try SocketContext(keys: wire.keys),
            logger: logger
        )
        if let (log, readings) = group {
            let logs = try PostgreSQLLogs(log, readings, of: home, endpoints: settings.endpoints)
            let locks = settings.ownership
            let alarm: @Sendable (PartitionAddress, String) -> Void = { partition, problem in
                let metadata: Logger.Metadata = ["partition": "\(partition)", "error": "\(problem)"]
                logger.error("An operator must look", metadata: metadata)
            }
            settings.logs = logs
            settings.ownership = LogOwnership(
                of: service,
                locks: locks,
                logs: logs,
                members: wire.host.flatMap { host in
                    wire.keys.map {
                        PostgreSQLMembers(log, readings, of: name, host: host, keys: $0, replica: replica)
                    }
                },
                compare: { number in
                    let commits = logs.open(PartitionAddress(service, number), whileWaiting: { _ in }).commits
                    try LocalCopy(at: "\(dataFolder)/\(number).sqlite", of: commits).compare()
                },
                alarm: alarm,
                notice: { problem in
                    let metadata: Logger.Metadata = ["error": "\(problem)"]
                    logger.warning("This host waits, and takes no partition", metadata: metadata)
                }
            )
            if wire.host != nil {
                Self.follow(logs, configuration.partitions, in: dataFolder, locks: locks, alarm: alarm)
            }
        } else {
            settings.storeRegister = home.storeRegister
        }
        settings.restoreMark = home.restoreMark
        settings.crash = home.crashSwitch(of: service.rawValue)
        settings.record = try command.record.map { try Recording(path: $0).add }
        settings.configuration = home.version
        return settings
    }

    /// Keeps this host's copies of what other hosts own near their logs, on a thread that ends with the process.
    private static func follow(
        _ logs: PostgreSQLLogs,
        _ partitions: Int,
        in dataFolder: String,
        locks: any Ownership,
        alarm: @escaping @Sendable (PartitionAddress, String) -> Void
    ) {
        runThread(name: "copies") {
            let copies = PartitionCopies(
                of: Program.Partitioned.name,
                partitions: partitions,
                in: dataFolder,
                locks: locks,
                sign: { try logs.read($0, notBefore: ClockReading.current().uptime - signMilliseconds).sign },
                log: logs.reader(),
                alarm: alarm
            )
            while true {
                sleep(followSeconds)
                copies.follow()
            }
        }
    }

    /// Between two looks at the logs of partitions that other hosts own.
    private static var followSeconds: UInt32 { 1 }
    /// So old is what is known of who owns a partition, at most: no round asks of its own where the steward does.
    private static var signMilliseconds: Int64 { 1_000 }
}

private struct HostPart: Service {
    let host: PartitionHost
    let log: GroupLog?

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await host.run()
        } onGracefulShutdown: {
            host.stop()
            log?.end()
        }
    }
}
