import NIOCore

/// Sets deadlines for connections; tests set their own.
struct DeadlineTimer: Sendable {
    /// Something to be done once.
    typealias Action = @Sendable () -> Void

    /// Does the action when the time is over; returns what cancels it.
    let schedule: @Sendable (any Channel, TimeAmount, @escaping Action) -> Action
    /// The time by which rates are measured.
    var now: @Sendable () -> NIODeadline = { .now() }

    /// Deadlines on each connection's event loop.
    static let onEventLoop = DeadlineTimer { channel, time, action in
        let scheduled = channel.eventLoop.scheduleTask(in: time, action)
        return { scheduled.cancel() }
    }
}
