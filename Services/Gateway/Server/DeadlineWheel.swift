import NIOConcurrencyHelpers
import NIOCore

/// The deadlines of one event loop's connections.
///
/// Nearly every one is cancelled within milliseconds. An event loop sorts each task that comes, and for one that is
/// cancelled looks through all of them; here a deadline waits among those of its turn, and is cancelled where it lies.
/// So it passes up to a turn too late.
final class DeadlineWheel {
    /// The length of a turn, ms.
    static let turnMilliseconds: Int64 = 250

    private typealias Waiting = NIOLockedValueBox<DeadlineTimer.Action?>

    private let eventLoop: any EventLoop
    private var turns: [Int64: [Waiting]] = [:]
    private var isTicking = false

    init(of eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Runs the action after a time, on the event loop, which alone may ask for it; returns what cancels it.
    func schedule(
        in time: TimeAmount,
        _ action: @escaping DeadlineTimer.Action
    ) -> DeadlineTimer.Action {
        let waiting = Waiting(action)
        turns[Self.turn(of: eventLoop.now + time) + 1, default: []].append(waiting)
        tickLater()
        return { waiting.withLockedValue { $0 = nil } }
    }

    private static func turn(of time: NIODeadline) -> Int64 {
        Int64(time.uptimeNanoseconds / 1_000_000) / turnMilliseconds
    }

    private func tickLater() {
        guard !isTicking else { return }
        isTicking = true
        eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Self.turnMilliseconds)) { self.tick() }
    }

    private func tick() {
        let now = Self.turn(of: eventLoop.now)
        let due = turns.filter { $0.key <= now }
        for turn in due.keys { turns[turn] = nil }
        for waiting in due.sorted(by: { $0.key < $1.key }).flatMap(\.value) {
            waiting.withLockedValue { $0.take() }?()
        }
        isTicking = false
        if !turns.isEmpty { tickLater() }
    }
}
