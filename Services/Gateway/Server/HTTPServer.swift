import Delivery
import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// The HTTP server: Hummingbird's channels behind a socket that all replicas of the gateway share.
///
/// Hummingbird's own server cannot set `SO_REUSEPORT`, hence this one: listen, hand connections over, and when asked
/// to stop, close what is idle and let the answers in hand leave.
struct HTTPServer: Service {
    /// Open files that are left for everything else: without any, libzmq ends the process.
    static let reservedFiles = 256
    /// Connections that the kernel queues.
    static let backlog: Int32 = 1_024
    /// How long a connection may be silent, in seconds.
    static let idleSeconds: Int64 = 75
    /// Most bytes of a head's fields.
    static let headerBytes = 16_384
    /// Most fields of a head.
    static let headerFields = 100
    /// Most bytes that are read at a time; what waits behind a request in hand is no more.
    static let readBytes = 16_384
    /// What the kernel takes of answers that nobody reads, in bytes; it counts twice as much.
    static let sendBytes = 131_072

    private let http: HTTP1Channel
    private let taken: ListenSeat.Taken
    private let logger: Logger

    /// Where clients find it.
    var url: String { taken.url }

    /// A server that listens already; connections queue until it runs.
    ///
    /// `alarm` rings for bodies, `connectionAlarm` for heads and for answers that cannot leave.
    ///
    /// - Throws: `ListenSeat.Fault` or `ConfigurationError` when the address cannot be had.
    init(
        _ responder: RouterResponder<BasicRequestContext>,
        seat: ListenSeat,
        eventLoops: any EventLoopGroup,
        logger: Logger,
        limits: ConnectionLimits = ConnectionLimits(),
        crash: CrashSwitch = .off,
        alarm: ConnectionAlarm = .onEventLoop,
        connectionAlarm: ConnectionAlarm = .onEventLoop
    ) async throws {
        let answering = Answering(responder: responder, logger: logger, crash: crash, alarm: alarm)
        let http = HTTP1Channel(
            responder: answering.answer,
            configuration: .init(
                idleTimeout: .seconds(Self.idleSeconds),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: Self.headerBytes,
                    maxHeaderListSize: Self.headerBytes,
                    maxHeaderFieldCount: Self.headerFields
                )
            )
        )
        taken = try await seat.take { address in
            try await Self.bootstrap(eventLoops, limits).bind(to: address) { channel in
                http.setup(channel: channel, logger: logger).flatMapThrowing { connection in
                    try Self.pace(channel, connectionAlarm)
                    return connection
                }
            }
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

    /// Gives the address back; for a server that never runs.
    ///
    /// - Throws: what the listening socket throws.
    func abandon() async throws {
        try await taken.listener.executeThenClose { _ in }
    }

    private static func bootstrap(
        _ eventLoops: any EventLoopGroup,
        _ limits: ConnectionLimits
    ) -> ServerBootstrap {
        let connections = min(limits.connections, connectionBound())
        let buffers = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2_048, maximum: readBytes)
        return ServerBootstrap(group: eventLoops)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.socketOption(.init(rawValue: SO_REUSEPORT)), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        PeerCounting(
                            maximum: limits.perAddress,
                            exempt: limits.exempt,
                            refused: limits.refused
                        ),
                        AvailableConnectionsChannelHandler(maxConnections: connections)
                    )
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.recvAllocator, value: buffers)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.socketOption(.so_sndbuf), value: sendBytes)
    }

    /// Lets a connection have one request in hand at a time, and so much time for its heads and answers.
    private static func pace(_ channel: any Channel, _ alarm: ConnectionAlarm) throws {
        let pipeline = channel.pipeline.syncOperations
        let gate = RequestGate(alarm: alarm)
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(RequestWatch(gate: gate, alarm: alarm), position: .after(decoder))
        try pipeline.addHandler(gate, position: .first)
    }

    /// How many connections the limit of open files allows.
    private static func connectionBound() -> Int {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0, let files = Int(exactly: limit.rlim_cur) else {
            return ConnectionLimits.maximumConnections
        }
        return max(1, files - reservedFiles)
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
