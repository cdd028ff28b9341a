import CZeroMQ
import Glibc

/// The I/O thread's loop; only it touches the sockets.
final class PollLoop {
    /// Messages taken from one socket before the next has its turn.
    static let messagesPerTurn = 256
    private static let maximumSockets: Int32 = 8_192
    /// The eventfd's number in `Readiness`; sockets count from 1.
    private static let signalNumber: UInt64 = 0

    private let queue: CommandQueue
    private let context: UnsafeMutableRawPointer
    private let readiness: Readiness
    private let part = IncomingPart()
    private var sockets: [UInt64: Socket] = [:]
    private var listed: [Socket] = []
    private var inHand: [Socket] = []
    private var commands: [SocketCommand] = []
    private var statistics = SocketStatistics()
    private var isStopped = false

    init(serving queue: CommandQueue) throws(ZeroMQError) {
        self.queue = queue
        readiness = try Readiness()
        try readiness.watch(queue.descriptor, as: Self.signalNumber)
        guard let context = zmq_ctx_new() else { throw .latest("zmq_ctx_new") }
        self.context = context
        zmq_ctx_set(context, ZMQ_MAX_SOCKETS, Self.maximumSockets)
    }

    func run() {
        while !isStopped {
            awaitReadiness()
            receive()
            serve()
        }
        for socket in sockets.values { socket.close() }
        _ = repeatingInterrupted { zmq_ctx_term(context) }
    }

    private func awaitReadiness() {
        let maySleep = listed.isEmpty && queue.fallAsleep()
        var isSignalled = false
        readiness.wait(maySleep: maySleep) { number in
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
        guard !messages.isEmpty else { return }
        statistics.received += messages.count
        socket.plan.deliver(messages)
    }
}

// MARK: - Serving

extension PollLoop {
    private func serve() {
        queue.take(&commands, publishing: statistics)
        for command in commands { serve(command) }
        commands.removeAll(keepingCapacity: true)
    }

    private func serve(_ command: SocketCommand) {
        switch command {
        case .open(let plan, let reply):
            reply.give(open(plan))
        case .send(let message):
            send(message)
        case .close(let id, let reply):
            close(id)
            reply.give(())
        case .perform(let body):
            body()
        case .stop:
            isStopped = true
        }
    }

    private func open(_ plan: SocketPlan) -> ZeroMQError? {
        do throws(ZeroMQError) {
            let socket = try Socket(plan, in: context)
            do throws(ZeroMQError) {
                try readiness.watch(socket.descriptor, as: plan.id.rawValue)
            } catch {
                socket.close()
                throw error
            }
            sockets[plan.id.rawValue] = socket
            list(socket)
            return nil
        } catch {
            return error
        }
    }

    private func send(_ message: Outbound) {
        guard let socket = sockets[message.socket.rawValue] else {
            statistics.unroutable += 1
            return
        }
        socket.send(message, counting: &statistics)
        list(socket)
    }

    private func close(_ id: SocketID) {
        guard let socket = sockets.removeValue(forKey: id.rawValue) else { return }
        readiness.forget(socket.descriptor)
        socket.close()
    }
}
