package import Contracts
import Foundation

/// A client's time and randomness, replaced in tests.
package struct ClientClock: Sendable {
    package var now: @Sendable () -> Timestamp
    /// Throws when the task is cancelled.
    package var sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    /// Spreads the retries of many clients.
    package var random: @Sendable () -> UInt64

    package init(
        now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }

    package static let system = ClientClock(
        now: { Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))) },
        sleep: { try await Task.sleep(for: .milliseconds($0)) },
        random: { UInt64.random(in: .min ... .max) }
    )
}
