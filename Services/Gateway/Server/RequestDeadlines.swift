import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1

/// Reports a connection's requests and responses to its gate, and limits how long each may take.
///
/// A late or slow body ends with a `Problem` 503 where the route reads it: it is never final, and the sender may repeat
/// the request. A response that cannot leave closes the connection. Where a connection's last response comes before the
/// end of the body, the rest is read and dropped, so that a client that sends all of it first can read the response.
final class RequestDeadlines: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Time for a response to leave, s.
    static let responseSeconds: Int64 = 30
    /// Time to read why a body was refused before the connection closes, s; more comes with bytes of the body.
    static let lingerSeconds: Int64 = 5

    private let gate: RequestGate
    private let timer: DeadlineTimer
    private var body: BodyDeadline?
    private var cancelBody: DeadlineTimer.Action? { didSet { oldValue?() } }
    private var cancelResponse: DeadlineTimer.Action? { didSet { oldValue?() } }
    private var isLeaving = false
    /// Whether the client said that this request is its last.
    private var isLastRequest = false
    private var isLast = false
    private var isDraining = false
    /// Bytes that were dropped since this was asked last.
    private let dropped = NIOLockedValueBox(0)

    init(gate: RequestGate, timer: DeadlineTimer) {
        self.gate = gate
        self.timer = timer
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stopBody()
        cancelResponse = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDraining else { return drop(Self.unwrapInboundIn(data), context) }
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            isLastRequest = !head.isKeepAlive
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

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if isDraining { context.read() }
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
        cancelResponse = timer.close(context.channel, after: .seconds(Self.responseSeconds))
    }

    private func writeEnd(_ context: ChannelHandlerContext, _ data: NIOAny, _ left: EventLoopPromise<Void>) {
        isLeaving = true
        let channel = context.channel
        left.futureResult.assumeIsolated().whenComplete { [self] _ in
            isLeaving = false
            cancelResponse = nil
            gate.responseLeft()
            if isDraining, body == nil { channel.close(promise: nil) }
        }
        context.write(data, promise: left)
        if let body, isLast || isLastRequest {
            drain(body, context)
        } else if isLast {
            _ = timer.close(context.channel, after: .seconds(Self.lingerSeconds))
        }
    }

    /// Goes on reading a body whose request is answered, for as long as the body would have had.
    private func drain(_ rest: BodyDeadline, _ context: ChannelHandlerContext) {
        isDraining = true
        cancelBody = nil
        let channel = context.channel
        if rest.isAnnounced {
            _ = timer.close(channel, after: rest.time)
        } else {
            let end = timer.now() + BodyDeadline.allowance(announced: .max)
            Self.linger(channel, dropped, timer, until: end)
        }
        context.read()
    }

    /// Closes a connection once no more of a body of unknown length comes.
    private static func linger(
        _ channel: any Channel,
        _ dropped: NIOLockedValueBox<Int>,
        _ timer: DeadlineTimer,
        until end: NIODeadline
    ) {
        _ = timer.schedule(channel, .seconds(lingerSeconds)) {
            let bytes = dropped.withLockedValue { bytes in
                defer { bytes = 0 }
                return bytes
            }
            guard bytes > 0, timer.now() < end else { return channel.close(promise: nil) }
            linger(channel, dropped, timer, until: end)
        }
    }

    private func drop(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head: break
        case .body(let bytes):
            dropped.withLockedValue { $0 += bytes.readableBytes }
            if body?.isInTime(bytes.readableBytes, now: timer.now()) == false { context.close(promise: nil) }
        case .end:
            stopBody()
            if !isLeaving { context.close(promise: nil) }
        }
    }

    private func beginBody(_ bytes: Int?, _ channel: any Channel) {
        body = BodyDeadline(bytes: bytes, begin: timer.now())
        guard let time = body?.time else { return }
        cancelBody = timer.schedule(channel, time) { channel.pipeline.fireErrorCaught(Problem.late) }
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
