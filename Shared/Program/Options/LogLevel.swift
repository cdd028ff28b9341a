import ArgumentParser
package import Logging

/// Log levels on the command line.
package enum LogLevel: String, CaseIterable, ExpressibleByArgument, Sendable {
    case trace, debug, info, notice, warning, error, critical

    package var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}
