import NIOConcurrencyHelpers
import NIOCore

@testable import Gateway

/// Deadlines that pass when a test says so, and never by themselves.
final class ManualTimer: Sendable {
    /// One deadline that was set.
    struct Deadline: Sendable {
        let connection: ObjectIdentifier
        let time: TimeAmount
        fileprivate let action: DeadlineTimer.Action
        fileprivate let cancelled = NIOLockedValueBox(false)

        var isCancelled: Bool { cancelled.withLockedValue { $0 } }

        func fire() { if !isCancelled { action() } }
    }

    /// One element for each deadline, in the order in which they were set.
    let deadlines: AsyncStream<Deadline>
    private let added: AsyncStream<Deadline>.Continuation
    private let state = NIOLockedValueBox((all: [Deadline](), isLate: false))

    init() { (deadlines, added) = AsyncStream.makeStream() }

    /// What a server is given.
    var timer: DeadlineTimer {
        DeadlineTimer { [self] channel, time, action in
            let deadline = Deadline(connection: ObjectIdentifier(channel), time: time, action: action)
            let isLate = state.withLockedValue { state in
                state.all.append(deadline)
                return state.isLate
            }
            added.yield(deadline)
            if isLate { action() }
            return { deadline.cancelled.withLockedValue { $0 = true } }
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
}
