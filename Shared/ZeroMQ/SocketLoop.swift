import Glibc

/// Sockets and the I/O thread that owns them, for programs that send from many threads.
///
/// As in `PollLoop`, delivery is not guaranteed. `deliver`, `onConnected` and performed closures run on the I/O thread;
/// they must be quick, may send and close, and may not bind, connect or shut down, which wait for that thread.
package final class SocketLoop: Sendable {
    private let queue: CommandQueue
    private let turn = SocketTurn()
    private let thread: pthread_t
    private let ended: SocketReply<Void>

    /// Starts the I/O thread; the kernel keeps 15 bytes of its name.
    ///
    /// Without `keys` no socket is opened on `tcp://`.
    ///
    /// - Throws: `ZeroMQError.callFailed`, for instance when descriptors are used up.
    package init(name: String, keys: WireKeys? = nil) throws(ZeroMQError) {
        let queue = try CommandQueue()
        let started = SocketReply<ZeroMQError?>()
        let ended = SocketReply<Void>()
        self.queue = queue
        self.ended = ended
        thread = try startThread(name: name) { [turn] in
            do throws(ZeroMQError) {
                let loop = try PollLoop(serving: queue, in: try SocketContext(keys: keys), sharedBy: turn)
                started.give(nil)
                turn.run(loop)
            } catch {
                started.give(error)
            }
            ended.give(())
        }
        if let error = started.wait() { throw error }
    }

    deinit { _ = queue.add(.stop) }

    /// Binds a router in place of any file at the endpoint's path; the caller holds the lock for that path.
    ///
    /// The path is absolute and has at most 107 bytes; its file stays when the socket is closed, and is harmless. On
    /// `tcp://` the host is a numeric address of this machine; port 0 lets the system choose (`boundEndpoint`). A
    /// message above the maximum is not sent, and a peer that sends one is cut off. `deliver` gets up to 256 messages.
    ///
    /// - Throws: `ZeroMQError`; nothing is left open then.
    package func bind(
        at endpoint: Endpoint,
        maximumMessageBytes: Int,
        deliver: @escaping @Sendable ([Inbound]) -> Void
    ) throws(ZeroMQError) -> SocketID {
        try open(queue.plan(.router, endpoint, maximumMessageBytes, deliver))
    }

    /// Connects a dealer, now or as soon as a router is bound at the endpoint, and again after each loss.
    ///
    /// `onConnected` is called for each new connection that was noticed. A hint: short losses may go unnoticed.
    ///
    /// - Throws: `ZeroMQError`; nothing is left open then.
    package func connect(
        to endpoint: Endpoint,
        maximumMessageBytes: Int,
        onConnected: (@Sendable () -> Void)? = nil,
        deliver: @escaping @Sendable ([Inbound]) -> Void
    ) throws(ZeroMQError) -> SocketID {
        try open(queue.plan(.dealer, endpoint, maximumMessageBytes, onConnected: onConnected, deliver))
    }

    /// Where a router is bound; nil for other sockets, and once the loop is shut down.
    package func boundEndpoint(of socket: SocketID) -> Endpoint? {
        precondition(!isOnThread, "the I/O thread cannot wait for itself")
        return ask { $0.boundEndpoint(of: socket) }.flatMap(\.self)
    }

    private func open(_ plan: SocketPlan) throws(ZeroMQError) -> SocketID {
        precondition(!isOnThread, "the I/O thread cannot wait for itself")
        let outcome = ask { loop -> ZeroMQError? in
            do throws(ZeroMQError) { try loop.open(plan) } catch { return error }
            return nil
        }
        guard let outcome else { throw .stopped }
        if let outcome { throw outcome }
        return plan.id
    }

    /// Runs `body` on the I/O thread, and waits for what it returns; nil once the loop is shut down.
    private func ask<Value: Sendable>(_ body: @escaping @Sendable (PollLoop) -> Value) -> Value? {
        let reply = SocketReply<Value>()
        return queue.add(.perform { reply.give(body($0)) }) ? reply.wait() : nil
    }

    /// Queues a message and never blocks; `peer` is needed on a router only.
    package func send(_ frames: [Frame], on socket: SocketID, to peer: [UInt8] = []) {
        send(CollectionOfOne(Outbound(socket: socket, peer: peer, frames: frames)))
    }

    /// Sends messages or queues them, and never blocks for long; the order per socket is preserved.
    package func send(_ messages: some Collection<Outbound>) {
        precondition(messages.allSatisfy { !$0.frames.isEmpty }, "a message has at least one frame")
        if !turn.send(messages) { queue.add(messages) }
    }

    /// Closes a socket after everything queued before; returns when it receives nothing more.
    ///
    /// Of the last messages sent, most but not all reach the peer. On the I/O thread it does not wait.
    package func close(_ socket: SocketID) {
        let body: @Sendable (PollLoop) -> Void = { $0.close(socket) }
        if isOnThread { _ = queue.add(.perform(body)) } else { _ = ask(body) }
    }

    /// Runs `body` on the I/O thread, after everything queued before; not at all once the loop is shut down.
    package func perform(_ body: @escaping @Sendable () -> Void) {
        _ = queue.add(.perform { _ in body() })
    }

    /// Closes every socket after everything queued before, and waits for the thread to finish.
    package func shutdown() {
        precondition(!isOnThread, "the I/O thread cannot wait for itself")
        _ = queue.add(.stop)
        ended.wait()
    }

    /// Counts as of the I/O thread's last turn.
    package var statistics: SocketStatistics { queue.statistics }

    private var isOnThread: Bool { pthread_equal(thread, pthread_self()) != 0 }
}
