import NIOCore

/// Rings when a time is over, unless it is taken back before.
struct BodyAlarm: Sendable {
    /// Something to be done once.
    typealias Action = @Sendable () -> Void

    /// Sets an alarm for a connection; what comes back takes it back.
    let set: @Sendable (any Channel, TimeAmount, @escaping Action) -> Action

    /// Alarms of each connection's event loop.
    static let onEventLoop = BodyAlarm { channel, time, ring in
        let scheduled = channel.eventLoop.scheduleTask(in: time, ring)
        return { scheduled.cancel() }
    }
}
