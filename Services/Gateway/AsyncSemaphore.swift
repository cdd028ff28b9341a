import NIOConcurrencyHelpers

/// Runs a limited number of bodies at a time; the others wait in order of arrival.
final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        /// The stream of a task that is cancelled ends by itself, and takes no turn.
        var waiting: [AsyncStream<Void>.Continuation] = []

        mutating func giveTurns() {
            while free > 0, !waiting.isEmpty {
                if case .enqueued = waiting.removeFirst().yield() { free -= 1 }
            }
        }
    }

    private let state: NIOLockedValueBox<State>

    init(_ count: Int) { state = NIOLockedValueBox(State(free: count)) }

    var waiting: Int { state.withLockedValue { $0.waiting.count } }

    /// Runs `body` in its turn.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before its turn; what `body` throws.
    func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let (turns, turn) = AsyncStream<Void>.makeStream()
        state.withLockedValue { state in
            state.waiting.append(turn)
            state.giveTurns()
        }
        for await _ in turns {
            defer {
                state.withLockedValue { state in
                    state.free += 1
                    state.giveTurns()
                }
            }
            return try await body()
        }
        throw CancellationError()
    }
}
