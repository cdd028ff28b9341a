package import ArgumentParser
import Delivery
import FoundationEssentials
import Glibc
package import Logging
package import ServiceLifecycle
import UnixSignals

/// How a program starts and ends: command line, parts, exit code.
///
/// Exit code 0: done, or stopped on request. 1: failed. 2: wrong command line or configuration, with one line
/// on standard error. 75: what it needs does not answer now, and nothing is wrong with what is written.
package enum Launch {
    package static let failureCode: Int32 = 1
    /// For a wrong command line or configuration.
    package static let usageCode: Int32 = 2
    /// EX_TEMPFAIL of sysexits.h: the same may succeed later, without a change.
    package static let temporaryCode: Int32 = 75

    /// Parses the command line and runs the program; never returns.
    @concurrent package static func main<Command: ParsableCommand>(
        _ command: Command.Type,
        run: @concurrent (Command) async throws -> Void
    ) async -> Never {
        endWhenAsked()
        prepare()
        do {
            let parsed = try Command.parseAsRoot()
            guard let parsed = parsed as? Command else { throw CleanExit.helpRequest(command) }
            try await run(parsed)
            exit(0)
        } catch {
            end(command, error)
        }
    }

    /// Lets SIGTERM and SIGINT end the program at once with exit code 0, until it traps them.
    package static func endWhenAsked() {
        for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
    }

    /// Turns SIGPIPE into errors, and raises the limit of open files to the user's maximum: libzmq aborts the
    /// process when none are left.
    package static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(files, &limit)
    }

    /// Prints the error and exits with its code.
    package static func end<Command: ParsableCommand>(_ command: Command.Type, _ error: any Error) -> Never {
        if let error = error as? any ProgramError { fail(error.description, error.exitCode) }
        if let reason = FileAccess.reason(of: error) { fail(reason, failureCode) }
        switch command.exitCode(for: error) {
        case .success:
            print(command.fullMessage(for: error))
            exit(0)
        case .validationFailure: fail(command.message(for: error) + " (see --help)", usageCode)
        case let code: fail(command.message(for: error), code.rawValue)
        }
    }

    /// Runs parts until one ends or the process is asked to end; the parts end in reverse order.
    ///
    /// `counterfoil up` and systemd, whichever started the program, are answered meanwhile.
    package static func run(
        _ parts: [any Service],
        logger: Logger,
        heartbeat: @escaping Heartbeat
    ) async throws {
        let environment = ProcessInfo.processInfo.environment
        let supervision: [(any Service)?] = [
            ParentWatchdog(environment: environment, heartbeat: heartbeat),
            SystemdNotifier(environment: environment, heartbeat: heartbeat),
        ]
        let parts = (parts + supervision.compactMap(\.self)).map {
            ServiceGroupConfiguration.ServiceConfiguration(
                service: $0,
                successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup
            )
        }
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        var configuration = ServiceGroupConfiguration(services: parts, logger: quiet)
        configuration.gracefulShutdownSignals = [.sigterm, .sigint]
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Keeps line breaks, but escapes the rest: part of the text may be untrusted, and stderr is often a log.
    private static func fail(_ text: String, _ code: Int32) -> Never {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let escaped = lines.map { LogText.escaped(String($0)) }.joined(separator: "\n")
        if !text.isEmpty { StandardError.write(escaped) }
        exit(code)
    }
}
