import CZeroMQ
import Glibc
import NIOConcurrencyHelpers

/// Answers libzmq's question who may connect to a router on `tcp://`: the hosts that are configured, and nobody else.
///
/// The question is ZAP's (ZeroMQ RFC 27), one for each connection with CURVE. Without an answer libzmq admits everybody
/// who knows the server's public key; `ZMQ_ZAP_ENFORCE_DOMAIN` stops that.
final class Gatekeeper: Sendable {
    /// The domain of all routers; an empty one would ask nobody.
    static let domain = "counterfoil"

    private static let endpoint = "inproc://zeromq.zap.01"
    private static let version = Frame("1.0".utf8)
    private static let mechanism = Frame("CURVE".utf8)
    private static let admission = Frame("200".utf8)
    /// The connection ends, and the peer may try again; 400 would end its attempts for good, also where it is to be
    /// admitted a minute later.
    private static let refusal = Frame("300".utf8)
    /// Version, request id, domain, address, identity, mechanism, public key.
    private static let questionFrames = 7

    private struct State {
        var strangers = 0
        var lastMonitor = 0
        /// Those that the thread has not taken over yet.
        var monitors: [GatekeeperSocket] = []
    }

    private let admitted: Set<CurvePublicKey>
    private let state = NIOLockedValueBox(State())
    private let eventFD: EventFD

    /// How many connections were refused: of the wrong key, without a key, and of what does not speak ZeroMQ.
    var strangers: Int { state.withLockedValue { $0.strangers } }

    /// Binds before any router of the context, and answers until the context ends.
    init(admitting admitted: Set<CurvePublicKey>, in context: UnsafeMutableRawPointer) throws(ZeroMQError) {
        self.admitted = admitted
        eventFD = try EventFD()
        let socket = try GatekeeperSocket(ZMQ_REP, in: context)
        do throws(ZeroMQError) {
            guard zmq_bind(socket.handle, Self.endpoint) == 0 else { throw .latest("bind \(Self.endpoint)") }
            _ = try startThread(name: "gatekeeper") { [self] in serve(socket) }
        } catch {
            zmq_close(socket.handle)
            throw error
        }
    }

    /// Counts those that do not get as far as a question to the gatekeeper, until the router is closed.
    func watch(_ router: UnsafeMutableRawPointer, in context: UnsafeMutableRawPointer) throws(ZeroMQError) {
        let number = state.withLockedValue { state in
            state.lastMonitor += 1
            return state.lastMonitor
        }
        let endpoint = "inproc://counterfoil.monitor.\(number)"
        guard zmq_socket_monitor(router, endpoint, HandshakeEvent.watched) == 0 else {
            throw .latest("zmq_socket_monitor")
        }
        let monitor = try GatekeeperSocket(ZMQ_PAIR, in: context)
        guard zmq_connect(monitor.handle, endpoint) == 0 else {
            let error = ZeroMQError.latest("connect \(endpoint)")
            zmq_close(monitor.handle)
            throw error
        }
        state.withLockedValue { $0.monitors.append(monitor) }
        eventFD.signal()
    }

    private func serve(_ socket: GatekeeperSocket) {
        let part = IncomingPart()
        var monitors: [GatekeeperSocket] = []
        var items: [zmq_pollitem_t] = []
        repeat {
            while let question = socket.receive(using: part) { socket.send(reply(to: question)) }
            monitors.removeAll { !isGoing($0, using: part) }
            monitors += takeMonitors()
            items = [eventFD.pollItem] + ([socket] + monitors).map(\.pollItem)
        } while repeatingInterrupted({ zmq_poll(&items, Int32(items.count), -1) }) >= 0
        for socket in [socket] + monitors + takeMonitors() { zmq_close(socket.handle) }
    }

    private func takeMonitors() -> [GatekeeperSocket] {
        eventFD.clear()
        return state.withLockedValue { state in
            defer { state.monitors = [] }
            return state.monitors
        }
    }

    /// Counts what a monitor has seen; false, and closed, when its router is.
    private func isGoing(_ monitor: GatekeeperSocket, using part: IncomingPart) -> Bool {
        while let event = monitor.receive(using: part) {
            switch HandshakeEvent(event) {
            case .failed: state.withLockedValue { $0.strangers += 1 }
            case .ended:
                zmq_close(monitor.handle)
                return false
            case nil: continue
            }
        }
        return true
    }

    /// A question of another form is a stranger's, too.
    func reply(to question: [Frame]) -> [Frame] {
        let isKnown =
            question.count == Self.questionFrames && question[0] == Self.version
            && question[5] == Self.mechanism && admitted.contains { $0.bytes == question[6] }
        if !isKnown { state.withLockedValue { $0.strangers += 1 } }
        let id = question.count > 1 ? question[1] : []
        return [Self.version, id, isKnown ? Self.admission : Self.refusal, [], [], []]
    }
}

/// A socket of a gatekeeper, which goes from the thread that makes it to the one that serves.
private struct GatekeeperSocket: @unchecked Sendable {  // one thread uses it at a time
    let handle: UnsafeMutableRawPointer

    /// A socket that never makes the other end wait: libzmq's own thread waits for a monitor that is full.
    init(_ kind: Int32, in context: UnsafeMutableRawPointer) throws(ZeroMQError) {
        guard let handle = zmq_socket(context, kind) else { throw .latest("zmq_socket") }
        do throws(ZeroMQError) {
            try SocketOptions.set(handle, ZMQ_LINGER, SocketOptions.lingerMilliseconds)
            try SocketOptions.set(handle, ZMQ_RCVHWM, Int32(0))
        } catch {
            zmq_close(handle)
            throw error
        }
        self.handle = handle
    }

    var pollItem: zmq_pollitem_t {
        zmq_pollitem_t(socket: handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
    }

    /// Nil if nothing has come, or the context ends.
    func receive(using part: IncomingPart) -> [Frame]? {
        guard part.receive(from: handle) else { return nil }
        var frames = [part.bytes]
        while part.hasMore, part.receive(from: handle) { frames.append(part.bytes) }
        return frames
    }

    /// Who asked may be gone.
    func send(_ frames: [Frame]) {
        for (index, frame) in frames.enumerated() {
            let flags = index < frames.count - 1 ? ZMQ_SNDMORE : 0
            _ = frame.withUnsafeBytes { bytes in
                repeatingInterrupted { zmq_send(handle, bytes.baseAddress, bytes.count, flags) }
            }
        }
    }
}

extension EventFD {
    fileprivate var pollItem: zmq_pollitem_t {
        zmq_pollitem_t(socket: nil, fd: descriptor, events: Int16(ZMQ_POLLIN), revents: 0)
    }
}
