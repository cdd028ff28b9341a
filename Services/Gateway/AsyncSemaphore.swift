import NIOConcurrencyHelpers

/// Runs a limited number of bodies at a time; the others wait in order of arrival.
final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var lastTicket = 0
        var waiting: [(ticket: Int, turn: CheckedContinuation<Void, any Error>)] = []
    }

    private let state: NIOLockedValueBox<State>

    init(_ count: Int) { state = NIOLockedValueBox(State(free: count)) }

    var waiting: Int { state.withLockedValue { $0.waiting.count } }

    /// Runs `body` in its turn.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits; what `body` throws.
    func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await wait()
        defer { signal() }
        return try await body()
    }

    private func wait() async throws {
        let ticket = state.withLockedValue { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { turn in
                let outcome: Result<Void, CancellationError>? = state.withLockedValue { state in
                    // The task was cancelled before it waited.
                    guard !Task.isCancelled else { return .failure(CancellationError()) }
                    guard state.free == 0 else {
                        state.free -= 1
                        return .success(())
                    }
                    state.waiting.append((ticket, turn))
                    return nil
                }
                if let outcome { turn.resume(with: outcome) }
            }
        } onCancel: {
            let turn = state.withLockedValue { state in
                state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0).turn }
            }
            turn?.resume(throwing: CancellationError())
        }
    }

    private func signal() {
        let next = state.withLockedValue { state in
            guard state.waiting.isEmpty else { return Optional(state.waiting.removeFirst().turn) }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
