import CZeroMQ

/// What libzmq's monitor of a router says.
enum HandshakeEvent {
    /// A peer that has no key, or believes another one to be the router's, or speaks something else.
    case failed
    /// The router is closed.
    case ended

    /// Whose key is not admitted is counted where that is asked.
    static let watched =
        ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_MONITOR_STOPPED

    /// The event begins with its number, in the order of this machine.
    init?(_ frames: [Frame]) {
        guard let first = frames.first, first.count >= 2 else { return nil }
        switch Int32(first.withUnsafeBytes { $0.loadUnaligned(as: UInt16.self) }) {
        case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL, ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: self = .failed
        case ZMQ_EVENT_MONITOR_STOPPED: self = .ended
        default: return nil
        }
    }
}
