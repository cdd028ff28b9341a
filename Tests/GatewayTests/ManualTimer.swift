import NIOConcurrencyHelpers
import NIOCore

@testable import Gateway

/// Deadlines that pass when a test says so, and never by themselves.
final class ManualTimer: Sendable {
    /// One deadline that was set.
    struct Deadline: Sendable {
        let number: Int
        let time: TimeAmount
        let fire: DeadlineTimer.Action
    }

    private struct State {
        var all: [Deadline] = []
        var cancelled: Set<Int> = []
        var isLate = false
    }

    /// One element for each deadline, in the order in which they were set.
    let deadlines: AsyncStream<Deadline>
    private let deadline: AsyncStream<Deadline>.Continuation
    private let state = NIOLockedValueBox(State())

    init() { (deadlines, deadline) = AsyncStream.makeStream() }

    /// What a server is given.
    var timer: DeadlineTimer {
        DeadlineTimer { [self] _, time, action in
            let (made, isLate) = state.withLockedValue { state in
                let number = state.all.count
                let made = Deadline(number: number, time: time) { [self] in
                    if !isCancelled(number) { action() }
                }
                state.all.append(made)
                return (made, state.isLate)
            }
            deadline.yield(made)
            if isLate { action() }
            return { [self] in state.withLockedValue { _ = $0.cancelled.insert(made.number) } }
        }
    }

    /// Every deadline that was set.
    var all: [Deadline] { state.withLockedValue { $0.all } }

    /// The next deadline that is set.
    func next() async -> Deadline? { await deadlines.first { _ in true } }

    /// Lets all pass that were set and not cancelled, and from now on every one at once.
    func fireAll() {
        state.withLockedValue { $0.isLate = true }
        for deadline in all { deadline.fire() }
    }

    func isCancelled(_ deadline: Deadline) -> Bool { isCancelled(deadline.number) }

    private func isCancelled(_ number: Int) -> Bool {
        state.withLockedValue { $0.cancelled.contains(number) }
    }
}
