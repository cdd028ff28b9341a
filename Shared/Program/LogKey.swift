package import Logging

/// Names of metadata values in the log.
package enum LogKey: String, Sendable {
    case catalog, configuration, count, error, file, home, listen, operations, pid
}

extension Logger.Metadata {
    package init(_ values: [LogKey: Logger.MetadataValue]) {
        self.init(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
    }
}
