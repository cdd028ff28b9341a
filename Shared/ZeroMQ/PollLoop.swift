import Glibc

/// Sockets that one thread owns, polls and serves.
///
/// Delivery is not guaranteed: what cannot be delivered now is dropped and counted, and the protocol above sends it
/// again. Only `wake` is for other threads; `deliver` and `onConnected` run on the owner's thread during a turn.
package final class PollLoop {
    /// Messages taken from one socket before the next has its turn.
    static let messagesPerTurn = 256
    /// The eventfd's number in `Readiness`; sockets count from 1.
    private static let signalNumber: UInt64 = 0

    /// Ends the loop's current wait, or else the next one, from any thread.
    package let wake: @Sendable () -> Void
    private let queue: CommandQueue
    private let context: SocketContext
    private let readiness: Readiness
    /// Of a loop whose sockets other threads may use while it sleeps.
    private let sharing: SocketTurn?
    private let part = IncomingPart()
    private var sockets: [UInt64: Socket] = [:]
    private var missed = MissedConnections()
    private var listed: [Socket] = []
    private var inHand: [Socket] = []
    private var commands: [SocketCommand] = []
    /// For the owner's thread.
    package private(set) var statistics = SocketStatistics()
    private var isStopped = false

    /// A loop that the calling thread turns.
    ///
    /// - Throws: `ZeroMQError.callFailed`, for instance when descriptors are used up.
    package convenience init(in context: SocketContext) throws(ZeroMQError) {
        try self.init(serving: try CommandQueue(), in: context)
    }

    init(
        serving queue: CommandQueue,
        in context: SocketContext,
        sharedBy turn: SocketTurn? = nil
    ) throws(ZeroMQError) {
        wake = { queue.wake() }
        self.queue = queue
        self.context = context
        self.sharing = turn
        readiness = try Readiness()
        try readiness.watch(queue.descriptor, as: Self.signalNumber)
    }

    deinit { close() }

    /// Turns until a command stops the loop.
    func run() {
        while !isStopped { turn(waiting: nil) }
    }

    /// Delivers what has arrived, and first waits for it for so many ms; nil has no limit.
    package func turn(waiting milliseconds: Int64?) {
        let rest = missed.nextDue.map { max(0, $0 - Self.uptime()) }
        awaitReadiness(rest.map { min($0, milliseconds ?? $0) } ?? milliseconds)
        receive()
        renewMissed()
        serve()
    }

    private func awaitReadiness(_ milliseconds: Int64?) {
        let maySleep = milliseconds != 0 && listed.isEmpty && queue.fallAsleep()
        var isSignalled = false
        if maySleep { sharing?.pass() }
        let count = readiness.wait(milliseconds: maySleep ? milliseconds : 0)
        if maySleep { sharing?.take() }
        for index in 0..<count {
            let number = readiness.number(at: index)
            if let socket = sockets[number] {
                list(socket)
            } else {
                isSignalled = isSignalled || number == Self.signalNumber
            }
        }
        guard maySleep || isSignalled else { return }
        statistics.wakeUps += maySleep ? 1 : 0
        queue.wakeUp(bySignal: isSignalled)
    }

    private func list(_ socket: Socket) {
        guard !socket.isListed else { return }
        socket.isListed = true
        listed.append(socket)
    }
}

// MARK: - The owner's sockets

extension PollLoop {
    /// Binds a router; see `SocketLoop.bind`.
    ///
    /// - Throws: `ZeroMQError`; nothing is left open then.
    package func bind(
        at endpoint: Endpoint,
        maximumMessageBytes: Int,
        deliver: @escaping @Sendable ([Inbound]) -> Void
    ) throws(ZeroMQError) -> SocketID {
        try open(queue.plan(.router, endpoint, maximumMessageBytes, deliver))
    }

    /// Connects a dealer; see `SocketLoop.connect`.
    ///
    /// - Throws: `ZeroMQError`; nothing is left open then.
    package func connect(
        to endpoint: Endpoint,
        maximumMessageBytes: Int,
        onConnected: @escaping @Sendable () -> Void,
        deliver: @escaping @Sendable ([Inbound]) -> Void
    ) throws(ZeroMQError) -> SocketID {
        try open(queue.plan(.dealer, endpoint, maximumMessageBytes, onConnected: onConnected, deliver))
    }

    /// Binds a router again if its file was removed or replaced; the caller still holds the lock for the path.
    ///
    /// Its peers lose their connections and make new ones by themselves.
    ///
    /// - Returns: Whether the file was gone.
    /// - Throws: `ZeroMQError`; nobody reaches the router then.
    package func rebindIfCutOff(_ id: SocketID) throws(ZeroMQError) -> Bool {
        guard let socket = sockets[id.rawValue], socket.isCutOff else { return false }
        try socket.rebind()
        list(socket)
        return true
    }

    @discardableResult
    func open(_ plan: SocketPlan) throws(ZeroMQError) -> SocketID {
        let socket = try Socket(plan, in: context)
        do throws(ZeroMQError) {
            try readiness.watch(socket.descriptor, as: plan.id.rawValue)
        } catch {
            socket.close()
            throw error
        }
        sockets[plan.id.rawValue] = socket
        if plan.isRemote { beginMissing(socket) }
        list(socket)
        return plan.id
    }

    /// Where a router is bound, for others to connect to; of port 0, the port that the system has chosen.
    package func boundEndpoint(of id: SocketID) -> Endpoint? { sockets[id.rawValue]?.boundEndpoint }

    /// Sends messages, each whole or not at all, and never blocks.
    package func send(_ messages: some Sequence<Outbound>) {
        for message in messages { send(message) }
    }

    private func send(_ message: Outbound) {
        if let socket = give(message) { list(socket) }
    }

    /// Gives a message to its socket; nil if there is none.
    private func give(_ message: Outbound) -> Socket? {
        guard let socket = sockets[message.socket.rawValue] else {
            statistics.unroutable += 1
            return nil
        }
        socket.send(message, counting: &statistics)
        return socket
    }

    /// Sends on another thread while the loop's own sleeps; false if that has something to do.
    ///
    /// libzmq reports what arrives between two calls only once; if this call was the one, the loop's thread is woken.
    func sendAsleep(_ messages: some Collection<Outbound>) -> Bool {
        guard queue.isAtRest else { return false }
        var hasNews = false
        for message in messages {
            guard let socket = give(message), socket.hasNews else { continue }
            list(socket)
            hasNews = true
        }
        if hasNews { queue.wake() }
        return true
    }

    /// Closes every socket.
    package func close() {
        for id in Array(sockets.keys) { close(SocketID(rawValue: id)) }
    }

    /// Closes a socket; it receives nothing more.
    package func close(_ id: SocketID) {
        guard let socket = sockets.removeValue(forKey: id.rawValue) else { return }
        missed.forget(id.rawValue)
        readiness.forget(socket.descriptor)
        socket.close()
    }
}

// MARK: - Dealers without connection

extension PollLoop {
    private func beginMissing(_ socket: Socket) {
        missed.begin(socket.plan.id.rawValue, hasSeveralKeys: socket.hasSeveralKeys, at: Self.uptime())
    }

    private func note(_ socket: Socket) {
        guard socket.plan.isRemote, !missed.isEmpty || !socket.isConnected else { return }
        missed.note(
            socket.plan.id.rawValue,
            isConnected: socket.isConnected,
            hasSeveralKeys: socket.hasSeveralKeys,
            at: Self.uptime()
        )
    }

    /// Gives each dealer that is due a new socket of libzmq; where that fails, the next attempt has its time, too.
    private func renewMissed() {
        guard !missed.isEmpty else { return }
        for number in missed.due(at: Self.uptime()) {
            guard let socket = sockets[number] else { continue }
            if renew(socket) { statistics.renewed += 1 }
            beginMissing(socket)
        }
    }

    private func renew(_ socket: Socket) -> Bool {
        let former = socket.descriptor
        readiness.forget(former)
        var isRenewed = true
        do throws(ZeroMQError) { try socket.renew() } catch { isRenewed = false }
        do throws(ZeroMQError) {
            try readiness.watch(socket.descriptor, as: socket.plan.id.rawValue)
        } catch {
            isRenewed = false
        }
        list(socket)
        return isRenewed
    }

    /// Monotonic, ms.
    private static func uptime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

// MARK: - Receiving

extension PollLoop {
    private func receive() {
        swap(&listed, &inHand)
        for socket in inHand where socket.isOpen { receive(from: socket) }
        inHand.removeAll(keepingCapacity: true)
    }

    private func receive(from socket: Socket) {
        socket.isListed = false
        var messages: [Inbound] = []
        var isEmpty = false
        while !isEmpty, messages.count < Self.messagesPerTurn {
            if let message = socket.receive(using: part) { messages.append(message) } else { isEmpty = true }
        }
        if socket.noticeConnection() || !isEmpty { list(socket) }
        note(socket)
        guard !messages.isEmpty else { return }
        statistics.received += messages.count
        socket.plan.deliver(messages)
    }
}

// MARK: - Serving

extension PollLoop {
    private func serve() {
        statistics.strangers = context.strangers
        queue.take(&commands, publishing: statistics)
        for command in commands { serve(command) }
        commands.removeAll(keepingCapacity: true)
    }

    private func serve(_ command: SocketCommand) {
        switch command {
        case .send(let message): send(message)
        case .perform(let body): body(self)
        case .stop: isStopped = true
        }
    }
}
