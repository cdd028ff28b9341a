package import Contracts
import Foundation

/// Time and chance as a client needs them, passed in so that its tests neither wait nor guess.
package struct CallClock: Sendable {
    /// What time it is.
    package var now: @Sendable () -> Timestamp
    /// Waits so many ms; throws when the task is cancelled.
    package var pause: @Sendable (_ milliseconds: Int64) async throws -> Void
    /// Any number, to spread the retries of many.
    package var random: @Sendable () -> UInt64

    package init(
        now: @escaping @Sendable () -> Timestamp,
        pause: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.now = now
        self.pause = pause
        self.random = random
    }

    /// The machine's own.
    package static let system = CallClock(
        now: { Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))) },
        pause: { try await Task.sleep(for: .milliseconds($0)) },
        random: { UInt64.random(in: .min ... .max) }
    )
}
