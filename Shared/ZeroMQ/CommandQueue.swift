import NIOConcurrencyHelpers

/// The commands of all threads to the I/O thread, and the eventfd that wakes it.
///
/// The eventfd is signalled only while the I/O thread sleeps, by the first command it finds waiting.
final class CommandQueue: Sendable {
    /// Messages that may wait for the I/O thread; each turn takes all.
    static let maximumWaiting = 65_536

    private struct State {
        var waiting: [SocketCommand] = []
        var isAsleep = false
        /// Whether the next sleep ends before it begins.
        var isWoken = false
        var isStopped = false
        var lastSocket: UInt64 = 0
        /// The I/O thread's, and what has overflowed here.
        var statistics = SocketStatistics()
    }

    private let state = NIOLockedValueBox(State())
    private let eventFD: EventFD

    var descriptor: Int32 { eventFD.descriptor }

    init() throws(ZeroMQError) { eventFD = try EventFD() }

    /// Plans a new socket.
    func plan(
        _ kind: SocketPlan.Kind,
        _ endpoint: Endpoint,
        _ maximumMessageBytes: Int,
        onConnected: (@Sendable () -> Void)? = nil,
        _ deliver: @escaping @Sendable ([Inbound]) -> Void
    ) throws(ZeroMQError) -> SocketPlan {
        let address = try SocketAddress(endpoint)
        let number = state.withLockedValue { state in
            state.lastSocket += 1
            return state.lastSocket
        }
        return SocketPlan(
            id: SocketID(rawValue: number),
            kind: kind,
            address: address,
            maximumMessageBytes: maximumMessageBytes,
            deliver: deliver,
            onConnected: onConnected
        )
    }

    var statistics: SocketStatistics { state.withLockedValue { $0.statistics } }

    /// False if the loop is stopped.
    func add(_ command: SocketCommand) -> Bool {
        let (isTaken, mustSignal) = state.withLockedValue { state in
            guard !state.isStopped else { return (false, false) }
            if case .stop = command { state.isStopped = true }
            state.waiting.append(command)
            return (true, Self.wake(&state))
        }
        if mustSignal { eventFD.signal() }
        return isTaken
    }

    /// Adds messages up to the bound; the rest is dropped and counted.
    func add(_ messages: some Collection<Outbound>) {
        let mustSignal = state.withLockedValue { state in
            guard !state.isStopped, !messages.isEmpty else { return false }
            let room = max(0, Self.maximumWaiting - state.waiting.count)
            for message in messages.prefix(room) { state.waiting.append(.send(message)) }
            state.statistics.overflowed += max(0, messages.count - room)
            return Self.wake(&state)
        }
        if mustSignal { eventFD.signal() }
    }

    /// Ends the I/O thread's current sleep, or else the next one.
    func wake() {
        let mustSignal = state.withLockedValue { state in
            state.isWoken = true
            return Self.wake(&state)
        }
        if mustSignal { eventFD.signal() }
    }

    private static func wake(_ state: inout State) -> Bool {
        defer { state.isAsleep = false }
        return state.isAsleep
    }

    /// Gives the I/O thread all commands in exchange for its emptied array and its counts.
    func take(_ commands: inout [SocketCommand], publishing statistics: SocketStatistics) {
        state.withLockedValue { state in
            swap(&state.waiting, &commands)
            let overflowed = state.statistics.overflowed
            state.statistics = statistics
            state.statistics.overflowed = overflowed
        }
    }

    /// Whether the I/O thread sleeps, and nothing waits for it.
    var isAtRest: Bool { state.withLockedValue { $0.isAsleep && $0.waiting.isEmpty && !$0.isStopped } }

    /// True if the I/O thread may sleep: from now on a command signals the eventfd.
    func fallAsleep() -> Bool {
        state.withLockedValue { state in
            state.isAsleep = state.waiting.isEmpty && !state.isWoken
            state.isWoken = false
            return state.isAsleep
        }
    }

    /// The I/O thread calls this after every wake-up.
    func wakeUp(bySignal: Bool) {
        if bySignal { eventFD.clear() }
        state.withLockedValue { $0.isAsleep = false }
    }
}
