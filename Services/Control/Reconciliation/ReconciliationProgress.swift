import NIOConcurrencyHelpers

/// How far reconciling has come, told on standard error when it takes longer than a moment.
final class ReconciliationProgress: Sendable {
    /// Pause between two lines.
    private static let pause = Duration.seconds(2)

    private let line = NIOLockedValueBox<String?>(nil)

    /// Notes how far it has come.
    func note(_ text: String) { line.withLockedValue { $0 = text } }

    /// Writes what was noted last, again and again, until it is cancelled.
    func tell() async throws {
        while true {
            try await Task.sleep(for: Self.pause)
            let text = line.withLockedValue { line in
                defer { line = nil }
                return line
            }
            if let text { Terminal.warn(text) }
        }
    }
}
