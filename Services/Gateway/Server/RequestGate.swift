import NIOCore

/// Holds a connection's bytes back while one of its requests is in flight.
///
/// A client that does not read could otherwise have thousands of requests decoded from one packet, and as many
/// responses made. At most one read is held, as nothing more is read meanwhile.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Time for a head from its first byte on, s.
    static let headSeconds: Int64 = 10
    /// Most bytes held; only a sender that has closed its side sends more, and they are of no use to it.
    static let maximumHeldBytes = 262_144

    private let timer: DeadlineTimer
    private var pacing = RequestPacing()
    private var held = ByteBuffer()
    private var context: ChannelHandlerContext?
    private var cancelHead: DeadlineTimer.Action? { didSet { oldValue?() } }
    private var isPassing = false
    private var isReadWanted = false
    private var isInputClosed = false

    init(timer: DeadlineTimer) { self.timer = timer }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        cancelHead = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancelHead = nil
        held = ByteBuffer()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        if held.readableBytes == 0 { held = bytes } else { held.writeBuffer(&bytes) }
        pass(context)
        if held.readableBytes > Self.maximumHeldBytes || pacing.isHeadTooLong { context.close(promise: nil) }
    }

    func read(context: ChannelHandlerContext) {
        if held.readableBytes == 0 { context.read() } else { isReadWanted = true }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed, held.readableBytes > 0 {
            isInputClosed = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func readHead(bodyBytes: Int?) {
        pacing.readHead(bodyBytes: bodyBytes)
        cancelHead = nil
    }

    func readEnd() { pacing.readEnd() }

    func responseLeft() {
        pacing.responseLeft()
        guard let context, context.channel.isActive, held.readableBytes > 0 else { return }
        pass(context)
        context.fireChannelReadComplete()
        guard held.readableBytes == 0 else { return }
        if isInputClosed {
            isInputClosed = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if isReadWanted {
            isReadWanted = false
            context.read()
        }
    }

    private func pass(_ context: ChannelHandlerContext) {
        guard !isPassing else { return }
        isPassing = true
        defer { isPassing = false }
        while held.readableBytes > 0 {
            let count = pacing.allowance(for: held.readableBytesView)
            guard count > 0, let piece = held.readSlice(length: count) else { break }
            if held.readableBytes == 0 { held = ByteBuffer() }
            pacing.pass(piece.readableBytesView)
            context.fireChannelRead(Self.wrapInboundOut(piece))
        }
        if pacing.isInHead, cancelHead == nil {
            cancelHead = timer.close(context.channel, after: .seconds(Self.headSeconds))
        }
    }
}
