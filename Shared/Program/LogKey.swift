package import Logging

/// The names under which values stand in the log.
package enum LogKey: String, CaseIterable, Sendable {
    case app
    case configuration
    case count
    case delay = "delay.ms"
    case duration = "duration.ms"
    case epoch
    case error
    case home
    case listen
    case operations
    case partition
    case pid
    case reason
    case replica
    case route
    case service
    case signal
    case status
}

extension Logger.Metadata {
    /// Metadata whose names are known.
    package init(_ values: [LogKey: Logger.MetadataValue]) {
        self.init(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
    }
}
