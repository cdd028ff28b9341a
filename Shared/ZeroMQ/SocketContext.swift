import CZeroMQ

/// libzmq's context: the I/O thread that all loops of a process share.
package final class SocketContext: @unchecked Sendable {  // libzmq's contexts are made to be shared
    private static let maximumSockets: Int32 = 8_192

    let handle: UnsafeMutableRawPointer
    /// Nil where no socket is opened on `tcp://`.
    let keys: WireKeys?
    private let gatekeeper: Gatekeeper?

    /// A context without `keys` opens sockets on `ipc://` alone.
    ///
    /// - Throws: `ZeroMQError.callFailed`, for instance when descriptors are used up.
    package convenience init(keys: WireKeys? = nil) throws(ZeroMQError) {
        try self.init(keys: keys, isGuarded: keys != nil)
    }

    /// Where nobody answers who may connect, nobody may.
    init(keys: WireKeys?, isGuarded: Bool) throws(ZeroMQError) {
        guard let handle = zmq_ctx_new() else { throw .latest("zmq_ctx_new") }
        zmq_ctx_set(handle, ZMQ_MAX_SOCKETS, Self.maximumSockets)
        do throws(ZeroMQError) {
            gatekeeper = isGuarded ? try Gatekeeper(admitting: keys?.admitted ?? [], in: handle) : nil
        } catch {
            _ = repeatingInterrupted { zmq_ctx_term(handle) }
            throw error
        }
        self.handle = handle
        self.keys = keys
    }

    /// How many connections on `tcp://` were refused.
    package var strangers: Int { gatekeeper?.strangers ?? 0 }

    /// Counts the strangers that come to a router.
    func watch(_ router: UnsafeMutableRawPointer) throws(ZeroMQError) {
        try gatekeeper?.watch(router, in: handle)
    }

    /// Waits until every socket is closed; the loops that own them hold the context.
    deinit { _ = repeatingInterrupted { zmq_ctx_term(handle) } }
}
