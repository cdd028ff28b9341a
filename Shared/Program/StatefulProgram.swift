import Contracts
package import Delivery
import Foundation
import Glibc
package import Logging
import ServiceLifecycle
import ZeroMQ

/// A program that runs partitions of one service; what conforms is the program's `@main`.
package protocol StatefulProgram: SendableMetatype {
    /// The service whose partitions are run.
    associatedtype Partitioned: PartitionedService

    /// The service as the home configures it; a file that it does not need, it does not read.
    ///
    /// - Throws: `ConfigurationError`.
    static func service(home: Home) throws -> Partitioned
}

extension StatefulProgram {
    /// Runs the program until it is asked to end; leaves with 0, 1 or 2 as `Launch` says.
    ///
    /// `@concurrent` is needed: under `NonisolatedNonsendingByDefault`, `@main` does not accept an inherited
    /// `async` main without it.
    @concurrent package static func main() async {
        await Launch.main(StatefulCommand<Self>.self) { command in
            let home = command.common.resolvedHome
            if command.stdio {
                return try StreamsRun(command: command, home: home).run(try service(home: home))
            }
            let told = try home.withSnapshot()
            let service = try service(home: told)
            if command.common.check { return }
            try await PartitionsRun(command: command, home: told).run(service)
        }
    }
}

/// Runs partitions live: the stores and sockets of a home, until the process is asked to end.
struct PartitionsRun<Program: StatefulProgram> {
    let command: StatefulCommand<Program>
    let home: Home

    func run(_ service: Program.Partitioned) async throws {
        let configuration = try Configuration(of: home)
        try home.makeFolders()
        let name = Program.Partitioned.name.rawValue
        let logger = command.common.logger(for: name)
        home.warnOfTest(configuration, logger)
        let sockets = try SocketLoop(name: name)
        let host = PartitionHost(service: service, settings: try settings(configuration, sockets, logger))
        let environment = ProcessInfo.processInfo.environment
        let leash = Leash(environment: environment, heartbeat: { host.heartbeat($0) })
        let systemd = SystemdNotifier(environment: environment, heartbeat: { host.heartbeat($0) })
        logger.info(
            "Program started",
            metadata: .init([.home: "\(home.root)", .pid: "\(getpid())", .configuration: "\(home.version)"])
        )
        let bonds: [(any Service)?] = [leash, systemd]
        try await Launch.run([HostPart(host: host)] + bonds.compactMap(\.self), logger: logger)
        sockets.shutdown()
        logger.info("Program ended")
    }

    private func settings(
        _ configuration: Configuration,
        _ sockets: SocketLoop,
        _ logger: Logger
    ) throws -> HostSettings {
        let service = Program.Partitioned.name
        var record: (@Sendable (String) -> Void)?
        if let path = command.record {
            let recording = try Recording(path: path)
            record = { recording.add($0) }
        }
        return HostSettings(
            partitions: configuration.partitions,
            replica: command.common.replica,
            dataFolder: "\(home.dataFolder)/\(service.rawValue)",
            membersFolder: home.memberFolder(of: service),
            socketPath: { home.socket(of: $0) },
            sockets: sockets,
            logger: logger,
            crash: home.crashSwitch(of: service.rawValue),
            record: record,
            configuration: home.version
        )
    }
}

/// The host as a part of the program.
private struct HostPart: Service {
    let host: PartitionHost

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await host.run()
        } onGracefulShutdown: {
            host.stop()
        }
    }
}

extension Home {
    /// What ends this process at a named point, if the environment says so and this is a home for tests.
    package func crashSwitch(of program: String) -> CrashSwitch {
        CrashSwitch.from(
            setting: ProcessInfo.processInfo.environment["COUNTERFOIL_CRASH_AT"],
            service: program,
            allowed: isTest
        )
    }

    /// Says loudly in the log that purchases here may be fake.
    package func warnOfTest(_ configuration: Configuration, _ logger: Logger) {
        guard isTest else { return }
        logger.warning(
            "TEST HOME: extra roots and crash points are allowed; never use it for real purchases",
            metadata: .init([.home: "\(root)", .count: "\(configuration.extraRoots.count)"])
        )
    }
}
