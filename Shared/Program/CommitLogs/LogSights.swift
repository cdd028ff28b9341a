import Contracts
import Glibc
import NIOConcurrencyHelpers
import ZeroMQ

/// How a group's commit log was when it was last looked at, for whoever shows figures and must not wait.
///
/// A thread of its own looks every 5 s, and ends with the process.
package struct LogSights: Sendable {
    private static let pauseSeconds: UInt32 = 5

    private let newest = NIOLockedValueBox<LogSight?>(nil)

    /// Begins to look; nil where the group has no log.
    ///
    /// - Throws: `ConfigurationError` about the URL, or the password's file.
    package init?(_ configuration: Configuration, of home: Home) throws(ConfigurationError) {
        guard let store = configuration.store else { return nil }
        let log = try GroupLog(store, of: home)
        let (newest, wire) = (newest, configuration.wire)
        let partitions = ServiceName.allCases.flatMap { service in
            (0..<configuration.partitions).map { PartitionAddress(service, $0) }
        }
        runThread(name: "log") {
            let connection = log.connection(.brief)
            while true {
                let sight: LogSight?
                do throws(ConfigurationError) {
                    sight = try log.sight(of: partitions, and: wire, over: connection)
                } catch {
                    sight = nil  // the figures say that nobody answers
                }
                newest.withLockedValue { $0 = sight }
                sleep(Self.pauseSeconds)
            }
        }
    }

    /// Nil while PostgreSQL does not answer.
    package func latest() -> LogSight? { newest.withLockedValue(\.self) }
}
