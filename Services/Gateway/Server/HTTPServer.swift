import Delivery
import Glibc
import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// The HTTP server: Hummingbird's connections behind a socket that all replicas of a home share.
///
/// Hummingbird's own `Server` (2.28) binds without `SO_REUSEPORT` and allows no option before it binds. This one
/// listens, hands connections over, and on shutdown closes idle connections and lets responses leave.
struct HTTPServer: Service {
    /// Open files left for everything else: without any, libzmq ends the process.
    static let reservedFiles = 256
    static let backlog: Int32 = 1_024
    /// Longest silence of a connection, s.
    static let idleSeconds: Int64 = 75
    static let headerBytes = 16_384
    static let headerFields = 100
    /// Most bytes per read, and so the most that wait behind a request in flight.
    static let readBytes = 16_384
    /// The kernel's buffer for unread responses, in bytes; the kernel doubles it.
    static let sendBytes = 131_072

    private let http: HTTP1Connections
    private let listener: SharedListener
    private let logger: Logger

    var url: String { listener.url }

    /// Listens at once; connections queue until it runs.
    ///
    /// - Throws: `SharedAddress.Fault` or `ConfigurationError` when the address is not available.
    init(
        _ responder: RouterResponder<GatewayRequestContext>,
        at address: SharedAddress,
        logger: Logger,
        limits: ConnectionLimits = ConnectionLimits(),
        crash: CrashSwitch = .off,
        timer: DeadlineTimer = .onEventLoop,
        recorder: AnswerRecorder = AnswerRecorder()
    ) async throws {
        let http = HTTP1Connections(
            responder: { request, writer, channel in
                if request.headers.value(of: .expect)?.lowercased() == "100-continue" {
                    try await writer.writeInformationalHead(HTTPResponse(status: .continue))
                }
                let context = GatewayRequestContext(source: .init(channel: channel, logger: logger))
                var response = try await recorder.answer(request) {
                    try await responder.respond(to: request, context: context)
                }
                response.headers[.date] = HTTPDate.now
                crash.reach(.beforeAnswer)
                try await writer.write(response: response.head, body: response.body)
            },
            configuration: .init(
                idleTimeout: .seconds(Self.idleSeconds),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: Self.headerBytes,
                    maxHeaderListSize: Self.headerBytes,
                    maxHeaderFieldCount: Self.headerFields
                )
            )
        )
        listener = try await address.listen { address in
            try await Self.bootstrap(limits).bind(to: address) { channel in
                http.setup(channel: channel, logger: logger).flatMapThrowing { connection in
                    try Self.addDeadlines(channel, timer)
                    return connection
                }
            }
        }
        self.http = http
        self.logger = logger
    }

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await withThrowingDiscardingTaskGroup { group in
                try await listener.socket.executeThenClose { connections in
                    for try await connection in connections {
                        let executor = EventLoopExecutor(connection.channel.eventLoop)
                        group.addTask(executorPreference: executor) { await serve(connection) }
                    }
                }
            }
        } onGracefulShutdown: {
            listener.socket.channel.close(promise: nil)
        }
    }

    /// Releases the address of a server that never runs.
    func abandon() async throws {
        try await listener.socket.executeThenClose { _ in }
    }

    private func serve(_ connection: AcceptedConnection) async {
        await withGracefulShutdownHandler {
            await http.handle(value: connection, logger: logger)
        } onGracefulShutdown: {
            connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    private static func bootstrap(_ limits: ConnectionLimits) -> ServerBootstrap {
        let connections = min(limits.connections, connectionBound())
        let buffers = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2_048, maximum: readBytes)
        return ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.socketOption(.init(rawValue: SO_REUSEPORT)), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.closeOnExec()
                    try channel.pipeline.syncOperations.addHandlers(
                        AddressLimitHandler(limits),
                        AvailableConnectionsChannelHandler(maxConnections: connections)
                    )
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.recvAllocator, value: buffers)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.socketOption(.so_sndbuf), value: sendBytes)
    }

    /// Allows one request in flight per connection, and limits the time of heads, bodies and responses.
    private static func addDeadlines(_ channel: any Channel, _ timer: DeadlineTimer) throws {
        let pipeline = channel.pipeline.syncOperations
        let gate = RequestGate(timer: timer)
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(RequestDeadlines(gate: gate, timer: timer), position: .after(decoder))
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
}
