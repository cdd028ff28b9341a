import HTTPServing
import HummingbirdCore
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import NIOPosix
import Program
import ServiceLifecycle
import Testing

@testable import Gateway

/// Each of these ends the process where an accepted connection is dropped as it is.
@Suite(.timeLimit(.minutes(5))) struct `A connection that is accepted and not served` {
    /// Tells of each connection that is active.
    private final class Arrival: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = Never

        private let arrived: AsyncStream<Void>.Continuation

        init(_ arrived: AsyncStream<Void>.Continuation) { self.arrived = arrived }

        func channelActive(context: ChannelHandlerContext) {
            arrived.yield()
            context.fireChannelActive()
        }
    }

    /// Tells of each connection that is set up, and ends that when it is told to.
    private struct SlowSetup: ServerChildChannel {
        let http = HTTP1Connections(responder: { _, _, _ in })
        let begun: AsyncStream<Void>.Continuation
        let end: EventLoopFuture<Void>

        func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
            begun.yield()
            return http.setup(channel: channel, logger: logger).and(end).map(\.0)
        }

        func handle(value: AcceptedConnection, logger: Logger) async {
            await http.handle(value: value, logger: logger)
        }
    }

    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let loop = MultiThreadedEventLoopGroup.singleton.next()

    private static func connect(to port: Int?) async throws -> any Channel {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: #require(port))
            .get()
    }

    /// Connects to Hummingbird's server, which takes no connection before `stop` has returned; waits until both have
    /// ended.
    private static func serve(
        _ http: some ServerChildChannel,
        stop: @escaping @Sendable (any Channel) async throws -> Void
    ) async throws {
        let client = NIOLockedValueBox<(any Channel)?>(nil)
        let server = http.server(
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { listener in
                do {
                    let connection = try await connect(to: listener.localAddress?.port)
                    client.withLockedValue { $0 = connection }
                    try await stop(listener)
                } catch {
                    Issue.record("the server does not stop: \(error)")
                }
            },
            eventLoopGroup: loop,
            logger: logger
        )
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await server.run() }
            try await tasks.waitForAll()
        }
        try await #require(client.withLockedValue { $0 }).closeFuture.get()
    }

    @Test(arguments: [false, true])
    func `is closed when it is dropped, before it is active and after`(isActive: Bool) throws {
        let channel = EmbeddedChannel()
        let isClosed = NIOLockedValueBox(false)
        channel.closeFuture.whenComplete { _ in isClosed.withLockedValue { $0 = true } }
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        let connection = try HTTP1Connections(responder: { _, _, _ in })
            .setup(channel: channel, logger: Self.logger)
            .wait()
        if isActive { try channel.connect(to: address).wait() }
        #expect(!isClosed.withLockedValue { $0 })
        _ = consume connection
        if !isActive { try channel.connect(to: address).wait() }
        channel.embeddedEventLoop.run()
        #expect(isClosed.withLockedValue { $0 })
    }

    @Test func `is closed when Hummingbird's server is cancelled`() async throws {
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let http = HTTP1Connections(
            responder: { _, _, _ in },
            configuration: .init(additionalChannelHandlers: [Arrival(arrived)])
        )
        try await Self.serve(http) { _ in
            for await _ in arrivals { break }
            withUnsafeCurrentTask { $0?.cancel() }
        }
    }

    @Test func `is closed when the socket closes while it is set up`() async throws {
        let (beginnings, begun) = AsyncStream<Void>.makeStream()
        let end = Self.loop.makePromise(of: Void.self)
        try await Self.serve(SlowSetup(begun: begun, end: end.futureResult)) { listener in
            for await _ in beginnings { break }
            // In one turn of the loop: the socket's handlers are removed in the next.
            try await Self.loop.submit {
                listener.close(promise: nil)
                end.succeed()
            }.get()
        }
    }

    @Test func `is closed when the gateway's address is released`() async throws {
        let clock = ManualTimer()
        let home = try TestServer.TemporaryHome()
        let client: any Channel
        do {
            let server = try await TestServer.make(in: home, timer: clock.timer)
            client = try await Self.connect(
                to: ListenAddress(writtenIn: home.home.gatewayAddressFile)?.port
            )
            let head = "POST /v1/receipts HTTP/1.1\r\nHost: g\r\nContent-Length: 1\r\n\r\n"
            try await client.writeAndFlush(ByteBuffer(string: head))
            _ = try #require(await clock.next(), "no head was read")
            try await server.abandon()
            _ = consume server
        }
        try await client.closeFuture.get()
    }
}
