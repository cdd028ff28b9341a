import ArgumentParser
package import Logging

/// Options of every long-running program.
package struct CommonOptions: ParsableArguments {
    @OptionGroup var option: HomeOption

    @Option(help: "The number of this replica, from 0; two replicas of a service must differ.")
    package var replica = 0

    @Option(help: "The lowest level that is logged: trace, debug, info, notice, warning, error or critical.")
    package var logLevel = LogLevel.info

    @Flag(help: "Read the configuration as at a start and end: exit code 0, or 2 if it cannot be used.")
    package var check = false

    package init() {}

    /// Refuses invalid replica numbers.
    package mutating func validate() throws {
        guard (0...999).contains(replica) else { throw ValidationError("--replica must be from 0 to 999.") }
    }

    package var home: Home { option.home }

    /// A logger of a part that knows no replica.
    package static func logger(for part: String) -> Logger {
        Logger(label: part) { _ in LineLogHandler(program: part) }
    }

    /// A logger of this replica of a program.
    package func logger(for program: String) -> Logger {
        Logger(label: program) { _ in LineLogHandler(program: "\(program).\(replica)", level: logLevel.level)
        }
    }
}
