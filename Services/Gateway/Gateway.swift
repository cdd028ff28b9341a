import ArgumentParser
import Contracts
import Delivery
import Domain
import Foundation
import Glibc
import Logging
import NIOCore
import NIOPosix
import Program
import ServiceLifecycle
import ZeroMQ

/// The HTTP edge: reads and checks requests, asks the partitions, and says what they answered.
///
/// It holds nothing, so killing it costs a phone one retry, and starting another one is all that scaling takes.
@main
struct Gateway {
    /// The name in sockets, logs and crash points.
    static let name = "gateway"

    /// Runs the program until it is asked to end; leaves with 0, 1 or 2 as `Launch` says.
    @concurrent static func main() async {
        await Launch.main(GatewayCommand.self) { @Sendable command in
            try await Gateway(home: try command.common.home.withSnapshot(), command: command).run()
        }
    }

    let home: Home
    let command: GatewayCommand

    private func run() async throws {
        let configuration = try Configuration(of: home)
        let gateway = GatewayConfiguration(
            configuration,
            catalog: try Catalog(of: home),
            isTestHome: home.isTest,
            version: home.version
        )
        if command.common.check { return }
        try home.makeFolders()
        let logger = command.common.logger(for: Self.name)
        home.warnOfTest(configuration, logger)
        let sockets = try SocketLoop(name: Self.name)
        let edge = edge(gateway, sockets)
        let server = try await server(edge, logger)
        let operations: HTTPServer
        do {
            operations = try await self.operations(edge, logger)
        } catch {
            try await server.abandon()
            throw error
        }
        announce(server.url, operations.url, logger)
        let environment = ProcessInfo.processInfo.environment
        let supervision: [(any Service)?] = [
            ParentWatchdog(environment: environment) { beat(sockets, $0) },
            SystemdNotifier(environment: environment) { beat(sockets, $0) },
        ]
        try await Launch.run([server, operations] + supervision.compactMap(\.self), logger: logger)
        sockets.shutdown()
        logger.info("Program ended")
    }

    private func edge(_ configuration: GatewayConfiguration, _ sockets: SocketLoop) -> Edge {
        let home = home
        let client = RequestClient(sockets: sockets, source: SocketCaller.source) { home.socket(of: $0) }
        let partitions = Partitions(
            count: configuration.partitions,
            caller: SocketCaller(client),
            crash: home.crashSwitch(of: Self.name)
        )
        return Edge(configuration, partitions: partitions, replica: command.common.replica)
    }

    private func server(_ edge: Edge, _ logger: Logger) async throws -> HTTPServer {
        NIOSingletons.groupLoopCountSuggestion = max(1, System.coreCount / 2)
        let http = edge.configuration.http
        return try await HTTPServer(
            edge.responder(),
            seat: ListenSeat(http.listen, home: home),
            eventLoops: .singletonMultiThreadedEventLoopGroup,
            logger: logger,
            limits: ConnectionLimits(
                perAddress: http.connectionsPerAddress,
                exempt: http.proxies,
                refused: edge.refusedConnections
            ),
            crash: home.crashSwitch(of: Self.name)
        )
    }

    private func operations(_ edge: Edge, _ logger: Logger) async throws -> HTTPServer {
        try await HTTPServer(
            edge.operationsResponder(),
            seat: ListenSeat(operations: edge.configuration.http.operations, home: home),
            eventLoops: .singletonMultiThreadedEventLoopGroup,
            logger: logger,
            limits: .operations
        )
    }

    /// A heartbeat is a turn of the socket thread and of an event loop.
    private func beat(_ sockets: SocketLoop, _ answer: @escaping @Sendable () -> Void) {
        sockets.perform { MultiThreadedEventLoopGroup.singleton.next().execute(answer) }
    }

    private func announce(_ url: String, _ operations: String, _ logger: Logger) {
        print("listening on \(url), for operations on \(operations)")
        fflush(nil)
        logger.info(
            "Program started",
            metadata: .init([
                .home: "\(home.root)", .pid: "\(getpid())", .listen: "\(url)", .operations: "\(operations)",
                .configuration: "\(home.version)",
            ])
        )
    }
}

/// The gateway's command line.
struct GatewayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counterfoil-gateway",
        abstract: "Serves the HTTP interface that GET /openapi.json describes.",
        discussion: "Replicas of one home share its address; --replica tells them apart in logs.",
        version: Release.version
    )

    @OptionGroup var common: CommonOptions
}
