import NIOCore

/// Sets deadlines for connections; tests set their own.
struct DeadlineTimer: Sendable {
    typealias Action = @Sendable () -> Void

    /// Runs the action after a time; returns what cancels it.
    let schedule: @Sendable (any Channel, TimeAmount, @escaping Action) -> Action
    var now: @Sendable () -> NIODeadline = { .now() }

    static let onEventLoop = DeadlineTimer { channel, time, action in
        let scheduled = channel.eventLoop.scheduleTask(in: time, action)
        return { scheduled.cancel() }
    }

    /// Closes a connection after a time; returns what keeps it open.
    func close(_ channel: any Channel, after time: TimeAmount) -> Action {
        schedule(channel, time) { channel.close(promise: nil) }
    }
}
