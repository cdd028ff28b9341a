/// Metrics in Prometheus' text format 0.0.4, grouped by name as the format demands.
package struct PrometheusText: Sendable {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Prometheus' type of a metric.
    package enum Kind: String, Sendable { case gauge, counter }

    private var order: [String] = []
    private var families: [String: (header: [String], samples: [String])] = [:]

    package init() {}

    /// Adds one sample; samples are grouped by name, in the order of first use.
    package mutating func add(
        _ name: String,
        _ value: Double,
        labels: KeyValuePairs<String, String> = [:],
        kind: Kind = .gauge,
        help: String = ""
    ) {
        if families[name] == nil {
            order.append(name)
            let help = help.isEmpty ? [] : ["# HELP \(name) \(help)"]
            families[name] = (help + ["# TYPE \(name) \(kind.rawValue)"], [])
        }
        families[name]?.samples.append("\(name)\(Self.written(labels)) \(Self.written(value))")
    }

    /// The whole text.
    package var text: String {
        let lines = order.compactMap { families[$0] }.flatMap { $0.header + $0.samples }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func written(_ labels: KeyValuePairs<String, String>) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.key)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func written(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
