import CZeroMQ
import Glibc

enum SocketOptions {
    /// Per direction and connection; well above any credit.
    static let highWaterMark: Int32 = 8_192
    static let backlog: Int32 = 256
    /// A closed socket writes nothing more that libzmq has not begun to write.
    static let lingerMilliseconds: Int32 = 0
    static let handshakeMilliseconds: Int32 = 2_000
    static let heartbeatIntervalMilliseconds: Int32 = 2_500
    /// Silence after which either end gives up a stopped peer.
    static let heartbeatTimeoutMilliseconds: Int32 = 3_000
    static let reconnectMilliseconds: Int32 = 10
    /// The longest such pause; a killed owner's successor is found within it.
    static let reconnectMaximumMilliseconds: Int32 = 100

    /// Both ends send heartbeats: a dealer's alone would serve the router only while nothing else is sent.
    private static let common: [(option: Int32, value: Int32)] = [
        (ZMQ_LINGER, lingerMilliseconds),
        (ZMQ_SNDHWM, highWaterMark),
        (ZMQ_RCVHWM, highWaterMark),
        (ZMQ_HANDSHAKE_IVL, handshakeMilliseconds),
        (ZMQ_HEARTBEAT_IVL, heartbeatIntervalMilliseconds),
        (ZMQ_HEARTBEAT_TIMEOUT, heartbeatTimeoutMilliseconds),
        (ZMQ_HEARTBEAT_TTL, heartbeatTimeoutMilliseconds),
    ]

    /// Mandatory: a reply to a lost connection is an error instead of silence.
    private static let router: [(option: Int32, value: Int32)] = [
        (ZMQ_ROUTER_MANDATORY, 1),
        (ZMQ_BACKLOG, backlog),
    ]

    /// Immediate: nothing is queued before the connection is made.
    private static let dealer: [(option: Int32, value: Int32)] = [
        (ZMQ_IMMEDIATE, 1),
        (ZMQ_RECONNECT_IVL, reconnectMilliseconds),
        (ZMQ_RECONNECT_IVL_MAX, reconnectMaximumMilliseconds),
    ]

    static func apply(to handle: UnsafeMutableRawPointer, _ plan: SocketPlan) throws(ZeroMQError) {
        for (option, value) in common + (plan.kind == .router ? router : dealer) {
            try set(handle, option, value)
        }
        try set(handle, ZMQ_MAXMSGSIZE, Int64(plan.maximumMessageBytes))
    }

    static func set(
        _ handle: UnsafeMutableRawPointer,
        _ option: Int32,
        _ value: some FixedWidthInteger
    ) throws(ZeroMQError) {
        var value = value
        let code = zmq_setsockopt(handle, option, &value, MemoryLayout.size(ofValue: value))
        guard code == 0 else { throw .latest("zmq_setsockopt \(option)") }
    }

    static func int32(_ handle: UnsafeMutableRawPointer, _ option: Int32) throws(ZeroMQError) -> Int32 {
        var value: Int32 = 0
        var size = MemoryLayout<Int32>.size
        let code = repeatingInterrupted { zmq_getsockopt(handle, option, &value, &size) }
        guard code == 0 else { throw .latest("zmq_getsockopt \(option)") }
        return value
    }
}

/// Repeats a call of libzmq while a signal interrupts it.
func repeatingInterrupted(_ call: () -> Int32) -> Int32 {
    while true {
        let code = call()
        guard code == -1, zmq_errno() == EINTR else { return code }
    }
}
