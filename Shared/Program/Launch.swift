package import ArgumentParser
import Foundation
import Glibc
package import Logging
package import ServiceLifecycle
import UnixSignals

/// How a program begins and ends: the command line first, then its parts, then one exit code.
///
/// 0: it did what it was asked, or ended because it was asked to. 1: it failed. 2: the command line or the
/// configuration is wrong, and one line on standard error says how.
package enum Launch {
    /// The exit code of a program that failed.
    package static let failureCode: Int32 = 1
    /// The exit code for a wrong command line or configuration.
    package static let usageCode: Int32 = 2

    /// Parses the command line, that of the process unless another is given, and runs the program; never
    /// returns.
    @concurrent package static func main<Command: ParsableCommand>(
        _ command: Command.Type,
        arguments: [String]? = nil,
        run: @concurrent (Command) async throws -> Void
    ) async -> Never {
        endWhenAsked()
        prepare()
        do {
            let parsed = try Command.parseAsRoot(arguments)
            guard let parsed = parsed as? Command else { throw CleanExit.helpRequest(command) }
            try await run(parsed)
            exit(0)
        } catch {
            end(command, error)
        }
    }

    /// Until a program traps the signals that ask for its end, they end it at once, as asked: it has begun nothing yet
    /// that a polite end would finish.
    package static func endWhenAsked() {
        for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
    }

    /// What a process needs that lives long: ends of pipes are errors, not signals, and many files may be
    /// open.
    package static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        raiseOpenFiles()
    }

    /// Says what is wrong and ends with the code for it.
    package static func end<Command: ParsableCommand>(_ command: Command.Type, _ error: any Error) -> Never {
        if let error = error as? any ProgramError {
            complain(error.description)
            exit(error.exitCode)
        }
        if let reason = FileAccess.reason(of: error) {
            complain(reason)
            exit(failureCode)
        }
        switch command.exitCode(for: error) {
        case .success:
            print(command.fullMessage(for: error))
            exit(0)
        case .validationFailure:
            complain(command.message(for: error) + " (see --help)")
            exit(usageCode)
        case let code:
            let message = command.message(for: error)
            if !message.isEmpty { complain(message) }
            exit(code.rawValue)
        }
    }

    /// Runs parts until one ends or the process is asked to end; the parts end in reverse order.
    ///
    /// - Throws: what a part throws.
    package static func run(_ parts: [any Service], logger: Logger) async throws {
        let parts = parts.map {
            ServiceGroupConfiguration.ServiceConfiguration(
                service: $0,
                successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup
            )
        }
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let group = ServiceGroup(
            configuration: .init(
                services: parts,
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: quiet
            )
        )
        try await group.run()
    }

    /// Several lines stay several; what they say may be a stranger's, and stderr is often a log.
    private static func complain(_ text: String) {
        let text = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { LogText.escaped(String($0)) }.joined(separator: "\n")
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// Raises the limit of open files as far as this user may: libzmq aborts the process when there are
    /// none left.
    private static func raiseOpenFiles() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
