import Foundation
package import HTTPTypes
import NIOConcurrencyHelpers
package import NIOCore
package import NIOHTTP1
import NIOPosix

/// An answer, wholly read.
package struct HTTPReply: Sendable {
    private static let decoder = JSONDecoder()

    package let status: Int
    package let body: ByteBuffer
    private let fields: HTTPHeaders

    package init(status: Int, headers: HTTPHeaders = [:], body: ByteBuffer) {
        self.status = status
        fields = headers
        self.body = body
    }

    /// Made when it is asked for: whoever measures does not ask.
    package var headers: HTTPFields {
        HTTPFields(
            fields.compactMap { field in
                HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) }
            }
        )
    }

    package var isPositive: Bool { (200..<300).contains(status) }
    package var text: String { String(buffer: body) }

    /// The content of the body.
    ///
    /// - Throws: `HarnessFault` that shows the answer.
    package func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do {
            return try Self.decoder.decode(type, from: Data(body.readableBytesView))
        } catch {
            throw HarnessFault("not \(type): \(status) \(text)")
        }
    }
}

/// Connections to one server over HTTP/1.1, one exchange at a time on each.
///
/// All of them live on one thread, and whoever uses them may: what a full client costs in changes of threads is missing
/// to a group that shares two cores with it (420 µs a purchase with AsyncHTTPClient, 250 µs with this).
package final class HTTPConnections: Sendable {
    /// Why an exchange came to no answer.
    package enum Fault: String, Error {
        case closed, timedOut, notConnected
    }

    private static let connectTimeout = TimeAmount.seconds(2)

    private let host: String
    private let port: Int
    private let authority: String
    private let loop: any EventLoop
    private let idle = NIOLockedValueBox<[any Channel]>([])

    /// Connections to the server at `http://host:port`.
    ///
    /// - Throws: `HarnessFault` when the URL is none of that kind.
    package init(to url: String) throws(HarnessFault) {
        guard let parts = URL(string: url), parts.scheme == "http", let host = parts.host(),
            let port = parts.port
        else { throw HarnessFault("\(url) is not http://host:port") }
        self.host = host
        self.port = port
        authority = "\(host):\(port)"
        loop = MultiThreadedEventLoopGroup.singleton.next()
    }

    deinit { for channel in idle.withLockedValue({ $0 }) { channel.close(promise: nil) } }

    package var executor: LoopExecutor { LoopExecutor(loop) }

    /// Sends a request and reads its answer; cancelled, it closes the connection.
    ///
    /// - Throws: `Fault`.
    package func send(
        _ method: HTTPMethod,
        _ path: String,
        headers: [(String, String)] = [],
        body: ByteBuffer? = nil,
        within timeout: TimeAmount = .seconds(20)
    ) async throws -> HTTPReply {
        var headers = HTTPHeaders([("Host", authority)] + headers)
        if let body {
            headers.add(name: "Content-Type", value: "application/json")
            headers.add(name: "Content-Length", value: String(body.readableBytes))
        }
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
        let channel = try await connection()
        let promise = channel.eventLoop.makePromise(of: HTTPReply.self)
        let timer = channel.eventLoop.scheduleTask(in: timeout) {
            promise.fail(Fault.timedOut)
            channel.close(promise: nil)
        }
        defer { timer.cancel() }
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenFailure { _ in promise.fail(Fault.closed) }
        channel.writeAndFlush(Exchange(head: head, body: body, reply: promise), promise: written)
        let reply = try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        idle.withLockedValue { $0.append(channel) }
        return reply
    }

    private func connection() async throws -> any Channel {
        while let channel = idle.withLockedValue({ $0.popLast() }) {
            if channel.isActive { return channel }
        }
        do {
            return try await ClientBootstrap(group: loop)
                .connectTimeout(Self.connectTimeout)
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
    let reply: EventLoopPromise<HTTPReply>
}

/// Puts the parts of an answer together.
private final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = Exchange
    typealias OutboundOut = HTTPClientRequestPart

    private var waiting: EventLoopPromise<HTTPReply>?
    private var status = 0
    private var headers: HTTPHeaders = [:]
    private var isLast = false
    private var body = ByteBuffer()

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        waiting = exchange.reply
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        if let body = exchange.body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = Int(head.status.code)
            headers = head.headers
            isLast = !head.isKeepAlive
            body.clear()
        case .body(var part): body.writeBuffer(&part)
        case .end:
            waiting?.succeed(HTTPReply(status: status, headers: headers, body: body))
            waiting = nil
            if isLast { context.close(promise: nil) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        waiting?.fail(HTTPConnections.Fault.closed)
        waiting = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Runs tasks on the thread of an event loop.
package final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    /// Runs a job on the thread of the loop.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
