import CZeroMQ
import Glibc

/// One open socket of libzmq; only for the I/O thread.
final class Socket {
    let plan: SocketPlan
    /// Readable when the socket may have messages.
    ///
    /// libzmq signals only changes: after any call on the socket it may stay silent although messages wait, so we
    /// receive until there are none.
    var descriptor: Int32 { opened.descriptor }
    /// Whether the socket is in the loop's list of sockets to poll.
    var isListed = false
    private(set) var isOpen = true
    /// Whether a dealer had a connection when that was last looked at.
    private(set) var isConnected = false

    private let context: SocketContext
    private var opened: Opened
    /// How often the dealer has got a new socket of libzmq.
    private var renewals = 0
    /// What binding a router has made; nil if it was gone at once.
    private var file: SocketFile?

    private var handle: UnsafeMutableRawPointer { opened.handle }

    init(_ plan: SocketPlan, in context: SocketContext) throws(ZeroMQError) {
        opened = try Opened(plan, attempt: 0, in: context)
        self.plan = plan
        self.context = context
        file = SocketFile(of: plan)
    }

    /// A socket of libzmq that is bound or connected.
    private struct Opened {
        let handle: UnsafeMutableRawPointer
        let descriptor: Int32

        init(_ plan: SocketPlan, attempt: Int, in context: SocketContext) throws(ZeroMQError) {
            let security = try context.keys.security(for: plan, attempt: attempt)
            guard let handle = zmq_socket(context.handle, plan.kind == .router ? ZMQ_ROUTER : ZMQ_DEALER)
            else { throw .latest("zmq_socket") }
            do throws(ZeroMQError) {
                try SocketOptions.apply(to: handle, plan, security)
                if case .server = security { try context.watch(handle) }
                try Socket.attach(handle, plan)
                descriptor = try SocketOptions.int32(handle, ZMQ_FD)
            } catch {
                zmq_close(handle)
                throw error
            }
            self.handle = handle
        }
    }

    /// Binding replaces the file of a former owner, and closing leaves ours: by then the file may be the next owner's.
    private static func attach(_ handle: UnsafeMutableRawPointer, _ plan: SocketPlan) throws(ZeroMQError) {
        let (name, call) = plan.kind == .router ? ("bind", zmq_bind) : ("connect", zmq_connect)
        let code = repeatingInterrupted { call(handle, plan.address.endpoint.description) }
        guard code == 0 else { throw .latest("\(name) \(plan.address.text)") }
    }

    /// Where a router is bound: of port 0, the one that the system has chosen.
    var boundEndpoint: Endpoint? {
        plan.kind == .router ? SocketOptions.lastEndpoint(handle) : nil
    }

    /// Whether a router's file was removed or replaced: who connects from now on does not come here.
    var isCutOff: Bool {
        guard plan.kind == .router, plan.address.path != nil else { return false }
        return file == nil || file != SocketFile(of: plan)
    }

    /// Binds a router again; connections end, and peers make them anew.
    ///
    /// A second `zmq_bind` alone would leave the former listener open.
    func rebind() throws(ZeroMQError) {
        let code = repeatingInterrupted { zmq_unbind(handle, plan.address.endpoint.description) }
        guard code == 0 else { throw .latest("unbind \(plan.address.text)") }
        try Self.attach(handle, plan)
        file = SocketFile(of: plan)
    }

    /// Gives a dealer that has no connection a new socket of libzmq: a former one may have ended its attempts for good,
    /// and the host may have changed its key.
    ///
    /// - Throws: `ZeroMQError`; the former one stays then.
    func renew() throws(ZeroMQError) {
        let former = handle
        opened = try Opened(plan, attempt: renewals + 1, in: context)
        renewals += 1
        isConnected = false
        zmq_close(former)
    }

    /// Whether another attempt would use another key.
    var hasSeveralKeys: Bool {
        guard plan.isRemote, let host = plan.address.host else { return false }
        return (context.keys?.hosts[host]?.count ?? 0) > 1
    }

    func close() {
        isOpen = false
        zmq_close(handle)
    }

    /// Lets libzmq process its connections, and returns the ready events.
    func readiness() -> Int32 {
        var events: Int32 = 0
        var size = MemoryLayout<Int32>.size
        let code = repeatingInterrupted { zmq_getsockopt(handle, ZMQ_EVENTS, &events, &size) }
        return code == 0 ? events : 0
    }

    /// Whether messages have arrived, or a connection was made or lost that was not noticed.
    var hasNews: Bool {
        let events = readiness()
        return events & ZMQ_POLLIN != 0
            || plan.watchesConnection && (events & ZMQ_POLLOUT != 0) != isConnected
    }

    /// Reports a new connection of a dealer; true if messages have arrived meanwhile.
    func noticeConnection() -> Bool {
        guard plan.watchesConnection else { return false }
        let events = readiness()
        let wasConnected = isConnected
        isConnected = events & ZMQ_POLLOUT != 0
        if isConnected, !wasConnected { plan.onConnected?() }
        return events & ZMQ_POLLIN != 0
    }
}

// MARK: - Sending

extension Socket {
    /// Sends a message whole, or drops it whole.
    func send(_ message: Outbound, counting statistics: inout SocketStatistics) {
        guard message.frames.reduce(0, { $0 + $1.count }) <= plan.maximumMessageBytes else {
            statistics.oversized += 1
            return
        }
        var outcome = attempt(message)
        if case .refused = outcome {
            // While sending, libzmq checks its connections only now and then; a new one may be waiting.
            _ = readiness()
            outcome = attempt(message)
        }
        switch outcome {
        case .accepted: statistics.sent += 1
        case .refused(EAGAIN): statistics.wouldBlock += 1
        case .refused, .broken: statistics.unroutable += 1
        }
    }

    private enum Outcome {
        case accepted
        case refused(Int32)
        case broken
    }

    /// Gives all frames to libzmq.
    ///
    /// After the first frame nothing is refused because a queue is full. If the connection ends in mid-message, libzmq
    /// takes back what it has and swallows the rest, which must be given to it all the same.
    private func attempt(_ message: Outbound) -> Outcome {
        var outcome = Outcome.accepted
        if plan.kind == .router {
            let code = send(message.peer, more: true)
            guard code == 0 else { return .refused(code) }
        }
        for index in message.frames.indices {
            let code = send(message.frames[index], more: index < message.frames.endIndex - 1)
            guard code != 0 else { continue }
            if plan.kind == .dealer, index == message.frames.startIndex { return .refused(code) }
            outcome = .broken
        }
        return outcome
    }

    private func send(_ frame: Frame, more: Bool) -> Int32 {
        let flags = more ? ZMQ_DONTWAIT | ZMQ_SNDMORE : ZMQ_DONTWAIT
        let code = frame.withUnsafeBytes { bytes in
            repeatingInterrupted { zmq_send(handle, bytes.baseAddress, bytes.count, flags) }
        }
        return code >= 0 ? 0 : zmq_errno()
    }
}

// MARK: - Receiving

extension Socket {
    /// Nil if there is no message; libzmq is then up to date.
    func receive(using part: IncomingPart) -> Inbound? {
        guard part.receive(from: handle) else { return nil }
        var message = Inbound(socket: plan.id, frames: [])
        if plan.kind == .router {
            message.peer = part.bytes
        } else {
            message.frames.append(part.bytes)
        }
        while part.hasMore, part.receive(from: handle) { message.frames.append(part.bytes) }
        return message
    }
}
