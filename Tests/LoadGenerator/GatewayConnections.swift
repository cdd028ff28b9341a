import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// An answer, wholly read.
struct HTTPAnswer: Sendable {
    let status: Int
    let body: ByteBuffer
}

/// Connections to one gateway over HTTP/1.1, one exchange at a time on each.
///
/// All of them, and all phones, live on one thread: what a full client costs in changes of threads is missing
/// to the group where both share two cores (420 µs a purchase with AsyncHTTPClient, 250 µs with this).
final class GatewayConnections: Sendable {
    /// Why an exchange came to no answer.
    enum Fault: String, Error {
        case closed, timedOut, notConnected
    }

    private static let connectPatience = TimeAmount.seconds(2)

    private let host: String
    private let port: Int
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let idle = NIOLockedValueBox<[any Channel]>([])

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Runs tasks on the thread of the connections.
    var executor: LoopExecutor { LoopExecutor(group.next()) }

    func shutdown() async throws { try await group.shutdownGracefully() }

    /// Sends a request and reads its answer; cancelled, it closes the connection.
    ///
    /// - Throws: `Fault`.
    func exchange(
        _ head: HTTPRequestHead,
        _ body: ByteBuffer?,
        within patience: TimeAmount
    ) async throws -> HTTPAnswer {
        let channel = try await connection()
        let promise = channel.eventLoop.makePromise(of: HTTPAnswer.self)
        let timer = channel.eventLoop.scheduleTask(in: patience) {
            promise.fail(Fault.timedOut)
            channel.close(promise: nil)
        }
        defer { timer.cancel() }
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenFailure { _ in promise.fail(Fault.closed) }
        channel.writeAndFlush(Exchange(head: head, body: body, answer: promise), promise: written)
        let answer = try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        idle.withLockedValue { $0.append(channel) }
        return answer
    }

    private func connection() async throws -> any Channel {
        while let channel = idle.withLockedValue({ $0.popLast() }) {
            if channel.isActive { return channel }
        }
        do {
            return try await ClientBootstrap(group: group)
                .connectTimeout(Self.connectPatience)
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(ExchangeHandler())
                    }
                }
                .connect(host: host, port: port).get()
        } catch {
            throw Fault.notConnected
        }
    }
}

/// A request, and who waits for its answer.
private struct Exchange: Sendable {
    let head: HTTPRequestHead
    let body: ByteBuffer?
    let answer: EventLoopPromise<HTTPAnswer>
}

/// Puts the parts of an answer together.
private final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = Exchange
    typealias OutboundOut = HTTPClientRequestPart

    private var waiting: EventLoopPromise<HTTPAnswer>?
    private var status = 0
    private var isLast = false
    private var body = ByteBuffer()

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        waiting = exchange.answer
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        if let body = exchange.body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = Int(head.status.code)
            isLast = !head.isKeepAlive
            body.clear()
        case .body(var part): body.writeBuffer(&part)
        case .end:
            waiting?.succeed(HTTPAnswer(status: status, body: body))
            waiting = nil
            if isLast { context.close(promise: nil) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        waiting?.fail(GatewayConnections.Fault.closed)
        waiting = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Runs tasks on the thread of an event loop.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
