package import Contracts
import FoundationEssentials

/// A client's time and randomness, replaced in tests.
package struct ClientClock: Sendable {
    /// Wall-clock time; it may jump.
    package var now: @Sendable () -> Timestamp
    /// Milliseconds of a clock that only moves forward, for durations inside one process.
    package var uptime: @Sendable () -> Int64
    /// Throws when the task is cancelled.
    package var sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    /// Spreads the retries of many clients.
    package var random: @Sendable () -> UInt64

    /// Without `uptime`, durations are differences of `now`, as in a simulation whose clock never jumps.
    package init(
        now: @escaping @Sendable () -> Timestamp,
        uptime: (@Sendable () -> Int64)? = nil,
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.now = now
        self.uptime = uptime ?? { now().milliseconds }
        self.sleep = sleep
        self.random = random
    }

    private static let start = SuspendingClock.now

    package static let system = ClientClock(
        now: { Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))) },
        uptime: { Int64(start.duration(to: .now) / .milliseconds(1)) },
        sleep: { try await Task.sleep(for: .milliseconds($0)) },
        random: { UInt64.random(in: .min ... .max) }
    )
}
