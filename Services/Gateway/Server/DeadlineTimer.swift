import NIOConcurrencyHelpers
import NIOCore

/// Sets deadlines for connections; tests set their own.
struct DeadlineTimer: Sendable {
    typealias Action = @Sendable () -> Void

    /// Runs the action after a time; returns what cancels it.
    let schedule: @Sendable (any Channel, TimeAmount, @escaping Action) -> Action
    var now: @Sendable () -> NIODeadline = { .now() }

    /// Those of a connection's own event loop, each loop with a wheel.
    static let onEventLoop = {
        let wheels = NIOLockedValueBox<[ObjectIdentifier: NIOLoopBound<DeadlineWheel>]>([:])
        return DeadlineTimer { channel, time, action in
            let loop = channel.eventLoop
            let wheel = wheels.withLockedValue { wheels in
                let wheel =
                    wheels[ObjectIdentifier(loop)]
                    ?? NIOLoopBound(DeadlineWheel(of: loop), eventLoop: loop)
                wheels[ObjectIdentifier(loop)] = wheel
                return wheel
            }
            return wheel.value.schedule(in: time, action)
        }
    }()

    /// Closes a connection after a time; returns what keeps it open.
    func close(_ channel: any Channel, after time: TimeAmount) -> Action {
        schedule(channel, time) { channel.close(promise: nil) }
    }
}
