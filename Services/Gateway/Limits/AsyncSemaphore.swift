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
        let turn = try await take()
        defer { turn.end() }
        return try await body()
    }

    /// Waits for a turn, which the caller must end.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before its turn.
    func take() async throws -> Turn {
        try Task.checkCancellation()
        let (turns, turn) = AsyncStream<Void>.makeStream()
        state.withLockedValue { state in
            state.waiting.append(turn)
            state.giveTurns()
        }
        for await _ in turns { return Turn(of: self) }
        throw CancellationError()
    }

    private func free() {
        state.withLockedValue { state in
            state.free += 1
            state.giveTurns()
        }
    }

    /// A turn that was taken.
    final class Turn: Sendable {
        private let semaphore: NIOLockedValueBox<AsyncSemaphore?>

        fileprivate init(of semaphore: AsyncSemaphore) { self.semaphore = NIOLockedValueBox(semaphore) }

        /// Lets the next one have it; once more has no effect.
        func end() {
            let semaphore = semaphore.withLockedValue { held in
                defer { held = nil }
                return held
            }
            semaphore?.free()
        }
    }
}
