import CZeroMQ

/// libzmq's context: the I/O thread that all loops of a process share.
package final class SocketContext: @unchecked Sendable {  // libzmq's contexts are made to be shared
    private static let maximumSockets: Int32 = 8_192

    let handle: UnsafeMutableRawPointer

    package init() throws(ZeroMQError) {
        guard let handle = zmq_ctx_new() else { throw .latest("zmq_ctx_new") }
        self.handle = handle
        zmq_ctx_set(handle, ZMQ_MAX_SOCKETS, Self.maximumSockets)
    }

    /// Waits until every socket is closed; the loops that own them hold the context.
    deinit { _ = repeatingInterrupted { zmq_ctx_term(handle) } }
}
