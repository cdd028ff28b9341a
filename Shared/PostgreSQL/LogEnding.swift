import NIOConcurrencyHelpers

/// Whether a process was asked to end.
///
/// Its connections then wait no longer for a primary that does not answer: whoever owns a partition next finds out what
/// became of the last entry, as after a crash, and nobody was told of it.
package final class LogEnding: Sendable {
    private let state = NIOLockedValueBox(false)

    /// Of all connections of one process.
    package init() {}

    /// From now on each call has `LogLimits.ending`.
    package func begin() { state.withLockedValue { $0 = true } }

    var hasBegun: Bool { state.withLockedValue { $0 } }
}
