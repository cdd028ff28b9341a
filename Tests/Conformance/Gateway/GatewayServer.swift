import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// The listener of the played gateway: HTTP/1.1 at 127.0.0.1, one request at a time on a connection.
///
/// It is not Hummingbird's, because it has to break connections in the place of an answer.
final class GatewayServer: Sendable {
    /// Takes a request; answers whenever it likes, with nil to break the connection.
    typealias Responder = @Sendable (HTTPCall, PendingReply) -> Void

    private let channel: any Channel

    /// Listens on a free port.
    init(_ responder: @escaping Responder) throws {
        channel = try ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(CallHandler(responder))
                }
            }
            .bind(host: "127.0.0.1", port: 0).wait()
    }

    /// Where it listens.
    var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    func close() throws { try channel.close().wait() }
}

/// A request that waits for its answer.
final class PendingReply: Sendable {
    private let channel: any Channel
    private let isKeptAlive: Bool
    private let abandonment = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)

    init(_ channel: any Channel, isKeptAlive: Bool) {
        self.channel = channel
        self.isKeptAlive = isKeptAlive
    }

    /// Answers; nil breaks the connection.
    func send(_ reply: GatewayReply?) {
        onAbandonment(nil)
        guard let reply else {
            channel.close(promise: nil)
            return
        }
        var headers = HTTPHeaders(reply.headers)
        headers.add(name: "Content-Length", value: String(reply.body.count))
        headers.add(name: "Connection", value: isKeptAlive ? "keep-alive" : "close")
        let status = HTTPResponseStatus(statusCode: reply.status)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: reply.body))), promise: nil)
        let end = channel.writeAndFlush(HTTPServerResponsePart.end(nil))
        if !isKeptAlive { end.whenComplete { [channel] _ in channel.close(promise: nil) } }
    }

    /// Sets what is done when the client hangs up before the answer.
    func onAbandonment(_ action: (@Sendable () -> Void)?) {
        abandonment.withLockedValue { $0 = action }
    }

    fileprivate func abandon() {
        let action = abandonment.withLockedValue { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}

/// Puts the parts of a request together.
private final class CallHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    /// An app receipt has 8 MiB at most.
    private static let mostBytes = 12 << 20

    private let responder: GatewayServer.Responder
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    private var pending: PendingReply?

    init(_ responder: @escaping GatewayServer.Responder) { self.responder = responder }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body.clear()
        case .body(var part):
            body.writeBuffer(&part)
            if body.readableBytes > Self.mostBytes { context.close(promise: nil) }
        case .end:
            guard let head else { return }
            let pending = PendingReply(context.channel, isKeptAlive: head.isKeepAlive)
            self.pending = pending
            let call = HTTPCall(
                method: head.method.rawValue,
                uri: head.uri,
                headers: head.headers.map { ($0.name, $0.value) },
                body: Data(body.readableBytesView)
            )
            responder(call, pending)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        pending?.abandon()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
