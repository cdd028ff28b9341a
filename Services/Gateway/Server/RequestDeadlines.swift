import NIOCore
import NIOHTTP1

/// Reports a connection's requests and responses to its gate, and limits how long each may take.
///
/// A late or slow body ends with a `Problem` 503 where the route reads it: it is never final, and the sender may repeat
/// the request. A response that cannot leave closes the connection.
final class RequestDeadlines: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Time for a response to leave, s.
    static let responseSeconds: Int64 = 30
    /// Time to read why a body was refused before the connection closes, s.
    static let lingerSeconds: Int64 = 5

    private let gate: RequestGate
    private let timer: DeadlineTimer
    private var body: BodyDeadline?
    private var cancelBody: DeadlineTimer.Action? { didSet { oldValue?() } }
    private var cancelResponse: DeadlineTimer.Action? { didSet { oldValue?() } }
    private var isLeaving = false
    private var isLast = false

    init(gate: RequestGate, timer: DeadlineTimer) {
        self.gate = gate
        self.timer = timer
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stopBody()
        cancelResponse = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            let bytes = Self.bodyBytes(head)
            gate.readHead(bodyBytes: bytes)
            beginBody(bytes, context.channel)
        case .body(let bytes):
            if body?.isInTime(bytes.readableBytes, now: timer.now()) == false {
                stopBody()
                context.fireErrorCaught(Problem.late)
                return
            }
        case .end:
            stopBody()
            gate.readEnd()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch Self.unwrapOutboundIn(data) {
        case .head(let head):
            isLast = head.headers[canonicalForm: "connection"].contains("close")
            context.write(data, promise: promise)
        case .body: context.write(data, promise: promise)
        case .end: writeEnd(context, data, promise ?? context.eventLoop.makePromise())
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard isLeaving, cancelResponse == nil else { return }
        cancelResponse = close(context.channel, after: Self.responseSeconds)
    }

    private func writeEnd(_ context: ChannelHandlerContext, _ data: NIOAny, _ left: EventLoopPromise<Void>) {
        isLeaving = true
        left.futureResult.assumeIsolated().whenComplete { [self] _ in
            isLeaving = false
            cancelResponse = nil
            gate.responseLeft()
        }
        context.write(data, promise: left)
        guard isLast else { return }
        stopBody()
        _ = close(context.channel, after: Self.lingerSeconds)
    }

    private func beginBody(_ bytes: Int?, _ channel: any Channel) {
        body = BodyDeadline(bytes: bytes, begin: timer.now())
        guard let time = body?.time else { return }
        cancelBody = timer.schedule(channel, time) { channel.pipeline.fireErrorCaught(Problem.late) }
    }

    private func close(_ channel: any Channel, after seconds: Int64) -> DeadlineTimer.Action {
        timer.schedule(channel, .seconds(seconds)) { channel.close(promise: nil) }
    }

    /// How many bytes follow a head; nil when it does not say.
    private static func bodyBytes(_ head: HTTPRequestHead) -> Int? {
        guard !head.headers.contains(name: "transfer-encoding") else { return nil }
        return head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    }

    private func stopBody() {
        body = nil
        cancelBody = nil
    }
}
