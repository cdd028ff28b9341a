import Contracts
import Delivery
import Glibc
import Logging

/// Writes one line per record to standard error: time, level, program, message, metadata.
struct LineLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let program: String

    /// `program` is such as `orders.0`.
    init(program: String, level: Logger.Level = .info) {
        self.program = program
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a record in one piece; a failed write is ignored, as there is nowhere else to report it.
    func log(event: LogEvent) {
        var line = line(event, at: ClockReading.current().now)
        _ = line.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// A record as text; its only line feed is at the end.
    func line(_ event: LogEvent, at time: Timestamp) -> String {
        var values = metadata
        values.merge(metadataProvider?.get() ?? [:]) { _, new in new }
        values.merge(event.metadata ?? [:]) { _, new in new }
        if let error = event.error { values[LogKey.error.rawValue] = "\(error)" }
        let pairs = values.sorted { $0.key < $1.key }.map { " \($0.key)=\(Self.quoted("\($0.value)"))" }
        let message = LogText.escaped("\(event.message)")
        return "\(time.rfc3339) \(event.level) \(program) \(message)\(pairs.joined())\n"
    }

    private static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.allSatisfy { !$0.isWhitespace && $0 != "\"" && $0 != "=" }
        let escaped = LogText.escaped(value.replacing("\"", with: "'"))
        return isPlain ? escaped : "\"\(escaped)\""
    }
}
