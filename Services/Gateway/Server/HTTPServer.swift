import Delivery
import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The HTTP server: Hummingbird's channels behind a socket that all replicas of the gateway share.
///
/// Hummingbird's own server cannot set `SO_REUSEPORT`, hence this one: listen, hand connections over, and when asked
/// to stop, close what is idle and let the answers in hand leave.
struct HTTPServer: Service {
    /// Most connections at a time; the kernel queues further ones.
    static let maximumConnections = 8_192
    /// Open files that are left for everything else: without any, libzmq ends the process.
    static let reservedFiles = 256
    /// Connections that the kernel queues.
    static let backlog: Int32 = 1_024
    /// How long a connection may be silent, in seconds.
    static let idleSeconds: Int64 = 75

    private let http: HTTP1Channel
    private let taken: ListenSeat.Taken
    private let logger: Logger

    /// Where clients find it.
    var url: String { taken.url }

    /// A server that listens already; connections queue until it runs.
    ///
    /// - Throws: `ListenSeat.Fault` or `ConfigurationError` when the address cannot be had.
    init(
        _ responder: RouterResponder<BasicRequestContext>,
        seat: ListenSeat,
        eventLoops: any EventLoopGroup,
        logger: Logger,
        crash: CrashSwitch = .off,
        alarm: BodyAlarm = .onEventLoop
    ) async throws {
        let answering = Answering(responder: responder, logger: logger, crash: crash, alarm: alarm)
        let http = HTTP1Channel(
            responder: answering.answer,
            configuration: .init(idleTimeout: .seconds(Self.idleSeconds))
        )
        taken = try await seat.take { address in
            try await Self.listen(at: address, eventLoops, logger, http)
        }
        self.http = http
        self.logger = logger
    }

    /// Takes connections until asked to stop.
    ///
    /// - Throws: what the listening socket throws.
    func run() async throws {
        try await withGracefulShutdownHandler {
            try await serve()
        } onGracefulShutdown: {
            taken.listener.channel.close(promise: nil)
        }
    }

    private static func listen(
        at address: SocketAddress,
        _ eventLoops: any EventLoopGroup,
        _ logger: Logger,
        _ http: HTTP1Channel
    ) async throws -> ListenSeat.Listener {
        let reusePort = ChannelOptions.Types.SocketOption(
            level: .socket,
            name: NIOBSDSocket.Option(rawValue: SO_REUSEPORT)
        )
        let connections = connectionBound()
        return try await ServerBootstrap(group: eventLoops)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(reusePort, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AvailableConnectionsChannelHandler(maxConnections: connections)
                    )
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(to: address) { http.setup(channel: $0, logger: logger) }
    }

    /// How many connections the limit of open files allows.
    private static func connectionBound() -> Int {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0, let files = Int(exactly: limit.rlim_cur) else {
            return maximumConnections
        }
        return min(maximumConnections, max(1, files - reservedFiles))
    }

    private func serve() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            try await taken.listener.executeThenClose { connections in
                for try await connection in connections {
                    group.addTask {
                        await withGracefulShutdownHandler {
                            await http.handle(value: connection, logger: logger)
                        } onGracefulShutdown: {
                            connection.channel.pipeline.fireUserInboundEventTriggered(
                                ChannelShouldQuiesceEvent()
                            )
                        }
                    }
                }
            }
        }
    }
}
