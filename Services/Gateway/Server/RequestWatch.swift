import NIOCore
import NIOHTTP1

/// Sees the requests and answers of a connection, tells its gate of them, and closes it when an answer cannot leave.
final class RequestWatch: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long an answer may take to leave, in seconds.
    static let answerSeconds: Int64 = 30

    private let gate: RequestGate
    private let alarm: ConnectionAlarm
    private var takeBack: ConnectionAlarm.Action?
    private var isLeaving = false

    /// A watch for the connection of a gate.
    init(gate: RequestGate, alarm: ConnectionAlarm) {
        self.gate = gate
        self.alarm = alarm
    }

    func handlerRemoved(context: ChannelHandlerContext) { stopTime() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): gate.readHead(bodyBytes: Self.bodyBytes(head))
        case .body: break
        case .end: gate.readEnd()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = Self.unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        let left = promise ?? context.eventLoop.makePromise()
        isLeaving = true
        left.futureResult.assumeIsolated().whenComplete { [self] _ in
            isLeaving = false
            stopTime()
            gate.answerLeft()
        }
        context.write(data, promise: left)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard isLeaving, takeBack == nil else { return }
        let channel = context.channel
        takeBack = alarm.set(channel, .seconds(Self.answerSeconds)) { channel.close(promise: nil) }
    }

    /// How many bytes follow a head; nil when it does not say.
    private static func bodyBytes(_ head: HTTPRequestHead) -> Int? {
        guard !head.headers.contains(name: "transfer-encoding") else { return nil }
        return head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    }

    private func stopTime() {
        takeBack?()
        takeBack = nil
    }
}
