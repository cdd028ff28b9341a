import CZeroMQ
import Glibc

enum SocketOptions {
    /// ZMQ_ZAP_ENFORCE_DOMAIN: every build of 4.3 has it, and only the headers of draft builds name it.
    private static let enforceDomain: Int32 = 93
    /// Longer than any endpoint of ours.
    private static let endpointBytes = 512
    /// Per direction and connection; well above any credit.
    static let highWaterMark: Int32 = 8_192
    static let backlog: Int32 = 256
    /// A closed socket writes nothing more that libzmq has not begun to write.
    static let lingerMilliseconds: Int32 = 0
    static let handshakeMilliseconds: Int32 = 2_000
    static let heartbeatIntervalMilliseconds: Int32 = 2_500
    /// Silence after which either end gives up a stopped peer.
    static let heartbeatTimeoutMilliseconds: Int32 = 3_000
    /// Between machines: together with the time-out, a way that is cut is seen within 3 s.
    static let remoteHeartbeatIntervalMilliseconds: Int32 = 1_000
    static let remoteHeartbeatTimeoutMilliseconds: Int32 = 2_000
    /// The kernel alone would go on for minutes with a machine that is gone.
    static let connectMilliseconds: Int32 = 1_000
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

    /// What differs on `tcp://`.
    private static let remote: [(option: Int32, value: Int32)] = [
        (ZMQ_HEARTBEAT_IVL, remoteHeartbeatIntervalMilliseconds),
        (ZMQ_HEARTBEAT_TIMEOUT, remoteHeartbeatTimeoutMilliseconds),
        (ZMQ_CONNECT_TIMEOUT, connectMilliseconds),
    ]

    /// Immediate: nothing is queued before the connection is made.
    private static let dealer: [(option: Int32, value: Int32)] = [
        (ZMQ_IMMEDIATE, 1),
        (ZMQ_RECONNECT_IVL, reconnectMilliseconds),
        (ZMQ_RECONNECT_IVL_MAX, reconnectMaximumMilliseconds),
    ]

    static func apply(
        to handle: UnsafeMutableRawPointer,
        _ plan: SocketPlan,
        _ security: SocketSecurity
    ) throws(ZeroMQError) {
        let ofPlace = plan.address.host == nil ? [] : remote
        for (option, value) in common + (plan.kind == .router ? router : dealer) + ofPlace {
            try set(handle, option, value)
        }
        try set(handle, ZMQ_MAXMSGSIZE, Int64(plan.maximumMessageBytes))
        if plan.address.host?.contains(":") == true { try set(handle, ZMQ_IPV6, Int32(1)) }
        try apply(security, to: handle)
    }

    private static func apply(
        _ security: SocketSecurity,
        to handle: UnsafeMutableRawPointer
    ) throws(ZeroMQError) {
        switch security {
        case .none: return
        case .server(let own):
            try set(handle, ZMQ_CURVE_SERVER, Int32(1))
            try set(handle, ZMQ_CURVE_SECRETKEY, bytes: own.secretBytes)
            try set(handle, ZMQ_ZAP_DOMAIN, bytes: Array(Gatekeeper.domain.utf8))
            // Nobody is admitted unless the gatekeeper says so.
            try set(handle, enforceDomain, Int32(1))
        case .client(let own, let server):
            try set(handle, ZMQ_CURVE_PUBLICKEY, bytes: own.publicKey.bytes)
            try set(handle, ZMQ_CURVE_SECRETKEY, bytes: own.secretBytes)
            try set(handle, ZMQ_CURVE_SERVERKEY, bytes: server.bytes)
        }
    }

    private static func set(
        _ handle: UnsafeMutableRawPointer,
        _ option: Int32,
        bytes: [UInt8]
    ) throws(ZeroMQError) {
        guard zmq_setsockopt(handle, option, bytes, bytes.count) == 0 else {
            throw .latest("zmq_setsockopt \(option)")
        }
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

    /// Nil for an endpoint of another form than ours.
    static func lastEndpoint(_ handle: UnsafeMutableRawPointer) -> Endpoint? {
        var text = [UInt8](repeating: 0, count: endpointBytes)
        var size = text.count
        let code = repeatingInterrupted { zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &text, &size) }
        // The size includes a closing zero.
        return code == 0 ? Endpoint(String(decoding: text.prefix(max(0, size - 1)), as: UTF8.self)) : nil
    }
}

/// Repeats a call of libzmq while a signal interrupts it.
func repeatingInterrupted(_ call: () -> Int32) -> Int32 {
    while true {
        let code = call()
        guard code == -1, zmq_errno() == EINTR else { return code }
    }
}
