import Logging
import ServiceLifecycle

/// Waits for the PostgreSQL of a program that has begun without it, and says so at longer and longer intervals.
///
/// What does not answer is not wrong: after a boot of all machines it may come later than its programs. Meanwhile the
/// program takes no partition, and answers whoever looks after it. What turns out to be wrong then ends the program.
struct LogWait: Service {
    /// Between two looks.
    private static let usualPause = Duration.seconds(2)

    private let first: String
    private let pause: Duration
    private let silence: @Sendable () async throws -> String?
    private let tell: @Sendable (String?) -> Void

    /// Nil if there is no log, or it answers already.
    ///
    /// - Throws: `ConfigurationError`.
    init?(for log: GroupLog?, _ logger: Logger) async throws {
        guard let log, let first = try await log.silence() else { return nil }
        self.init(after: first, pause: Self.usualPause, silence: log.silence) { why in
            guard let why else { return logger.info("PostgreSQL answers") }
            let metadata: [LogKey: Logger.MetadataValue] = [.error: "\(why)"]
            logger.warning(
                "PostgreSQL does not answer; no partition is taken until it does",
                metadata: .init(metadata)
            )
        }
    }

    /// `silence` says why nobody answers, `tell` is told it, and nil in the end.
    init(
        after first: String,
        pause: Duration,
        silence: @escaping @Sendable () async throws -> String?,
        tell: @escaping @Sendable (String?) -> Void
    ) {
        self.first = first
        self.pause = pause
        self.silence = silence
        self.tell = tell
    }

    /// Ends when the program is asked to end.
    ///
    /// - Throws: `ConfigurationError`, when PostgreSQL answers and is not the right one.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await untilAnswer() }
        } catch is CancellationError {
            return
        }
        try await gracefulShutdown()
    }

    /// Says at the first, second, fourth, eighth look and so on that nobody answers.
    func untilAnswer() async throws {
        var (why, count) = (Optional(first), 0)
        while let silent = why {
            count += 1
            if count.nonzeroBitCount == 1 { tell(silent) }
            try await Task.sleep(for: pause)
            why = try await silence()
        }
        tell(nil)
    }
}
