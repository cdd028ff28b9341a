import NIOCore

/// Rings when a time is over, unless it is taken back before.
struct ConnectionAlarm: Sendable {
    /// Something to be done once.
    typealias Action = @Sendable () -> Void

    /// Sets an alarm for a connection; what comes back takes it back.
    let set: @Sendable (any Channel, TimeAmount, @escaping Action) -> Action
    /// The time by which rates are measured.
    var now: @Sendable () -> NIODeadline = { .now() }

    /// Alarms of each connection's event loop.
    static let onEventLoop = ConnectionAlarm { channel, time, ring in
        let scheduled = channel.eventLoop.scheduleTask(in: time, ring)
        return { scheduled.cancel() }
    }
}
