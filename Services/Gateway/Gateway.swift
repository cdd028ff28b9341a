import ArgumentParser
import Contracts
import Delivery
import FoundationEssentials
import Glibc
import Logging
import NIOCore
import NIOPosix
import Program
import ServiceLifecycle
import ZeroMQ

/// The HTTP interface: checks requests, forwards them to partitions and returns the replies.
///
/// It holds no state: killing it costs a phone one retry, and another replica is enough to scale.
@main
struct Gateway {
    static let name = "gateway"

    /// Runs until it is asked to stop; exits with 0, 1 or 2 as `Launch` says.
    @concurrent static func main() async {
        await Launch.main(GatewayCommand.self) { @Sendable command in
            try await Gateway(home: try command.common.home.withSnapshot(), command: command).run()
        }
    }

    let home: Home
    let command: GatewayCommand

    private func run() async throws {
        let configuration = try Configuration(of: home)
        let logger = command.common.logger(for: Self.name)
        let catalog = try CatalogFollower(of: home, logger: logger)
        let phones = try await PhoneAuthentication(apps: configuration.apps, in: home, logger: logger)
        if command.common.check { return }
        try home.makeFolders()
        home.warnOfTest(configuration, logger)
        let wire = try home.wire(of: configuration)
        try wire.announce(Self.name, replica: command.common.replica, configuration, of: home)
        let sockets = try SocketLoop(name: Self.name, keys: wire.keys)
        let crash = home.crashSwitch(of: Self.name)
        let client = RequestClient(sockets: sockets, source: SocketCaller.source, endpoints: wire.endpoints)
        let caller = SocketCaller(client: client)
        var context = GatewayContext(
            configuration,
            catalog: { catalog.current() },
            caller: caller,
            crash: crash
        )
        context.authentication.phones = phones
        context.operators = OperatorAuthentication(OperatorFollower(of: home))
        if let sights = try LogSights(configuration, of: home) { context.logSight = { sights.latest() } }
        context.isTestHome = home.isTest
        context.version = home.version
        context.replica = command.common.replica
        let (server, operations) = try await servers(context, crash, logger)
        announce(server.url, operations.url, logger)
        try await Launch.run([server, operations], logger: logger) { beat(sockets, $0) }
        sockets.shutdown()
        logger.info("Program ended")
    }

    private func servers(
        _ context: GatewayContext,
        _ crash: CrashSwitch,
        _ logger: Logger
    ) async throws -> (HTTPServer, operations: HTTPServer) {
        let log = RequestLog(home.requestLog(replica: command.common.replica))
        if log == nil {
            logger.error("Requests cannot be recorded", metadata: .init([.home: "\(home.root)"]))
        }
        let recorder = AnswerRecorder(log: log)
        NIOSingletons.groupLoopCountSuggestion = max(1, System.coreCount / 2)
        let http = context.configuration.http
        let server = try await HTTPServer(
            context.responder(),
            at: SharedAddress(http.listen, home: home),
            logger: logger,
            limits: ConnectionLimits(
                perAddress: http.connectionsPerAddress,
                exempt: http.proxies,
                refused: context.refusedConnections
            ),
            crash: crash,
            recorder: recorder
        )
        do {
            let operations = try await HTTPServer(
                context.operationsResponder(),
                at: SharedAddress(http.operations, forOperations: true, home: home),
                logger: logger,
                limits: .operations,
                recorder: recorder
            )
            return (server, operations)
        } catch {
            try await server.abandon()
            throw error
        }
    }

    /// A heartbeat is a turn of the socket thread and of an event loop.
    private func beat(_ sockets: SocketLoop, _ done: @escaping @Sendable () -> Void) {
        sockets.perform { MultiThreadedEventLoopGroup.singleton.next().execute(done) }
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

struct GatewayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counterfoil-gateway",
        abstract: "Serves the HTTP interface that GET /openapi.yaml describes.",
        discussion: "Replicas of one home share its address; --replica tells them apart in logs.",
        version: Release.version
    )

    @OptionGroup var common: CommonOptions
}
