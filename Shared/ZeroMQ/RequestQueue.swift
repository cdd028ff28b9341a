import NIOConcurrencyHelpers

/// The requests of all threads to the I/O thread, and the bell that wakes it.
///
/// The bell is rung only while the I/O thread sleeps, by the first request it finds waiting.
final class RequestQueue: Sendable {
    /// Messages that may wait for the I/O thread; each turn takes all.
    static let maximumWaiting = 65_536

    private struct State {
        var waiting: [Request] = []
        var isAsleep = false
        var isStopped = false
        var lastSocket: UInt64 = 0
        var overflowed = 0
        var statistics = SocketStatistics()
    }

    private let state = NIOLockedValueBox(State())
    private let bell: Bell

    var bellDescriptor: Int32 { bell.descriptor }

    init() throws(ZeroMQError) { bell = try Bell() }

    func nextSocket() -> SocketID {
        state.withLockedValue { state in
            state.lastSocket += 1
            return SocketID(rawValue: state.lastSocket)
        }
    }

    var statistics: SocketStatistics {
        state.withLockedValue { state in
            var statistics = state.statistics
            statistics.overflowed = state.overflowed
            return statistics
        }
    }

    /// False if the loop is stopped.
    func add(_ request: Request) -> Bool {
        let (isTaken, mustRing) = state.withLockedValue { state in
            guard !state.isStopped else { return (false, false) }
            if case .stop = request { state.isStopped = true }
            state.waiting.append(request)
            return (true, Self.wake(&state))
        }
        if mustRing { bell.ring() }
        return isTaken
    }

    /// Adds messages up to the bound; the rest is dropped and counted.
    func add(_ messages: some Collection<Outbound>) {
        let mustRing = state.withLockedValue { state in
            guard !state.isStopped, !messages.isEmpty else { return false }
            let room = max(0, Self.maximumWaiting - state.waiting.count)
            for message in messages.prefix(room) { state.waiting.append(.send(message)) }
            state.overflowed += max(0, messages.count - room)
            return Self.wake(&state)
        }
        if mustRing { bell.ring() }
    }

    private static func wake(_ state: inout State) -> Bool {
        defer { state.isAsleep = false }
        return state.isAsleep
    }

    /// Gives the I/O thread all requests in exchange for its emptied array and its counts.
    func take(_ requests: inout [Request], publishing statistics: SocketStatistics) {
        state.withLockedValue { state in
            swap(&state.waiting, &requests)
            state.statistics = statistics
        }
    }

    /// True if the I/O thread may sleep: from now on a request rings the bell.
    func fallAsleep() -> Bool {
        state.withLockedValue { state in
            state.isAsleep = state.waiting.isEmpty
            return state.isAsleep
        }
    }

    /// The I/O thread calls this after every wake-up.
    func wakeUp(byBell: Bool) {
        if byBell { bell.silence() }
        state.withLockedValue { $0.isAsleep = false }
    }
}
