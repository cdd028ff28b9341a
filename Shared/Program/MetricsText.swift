/// Figures in Prometheus' text format 0.0.4, grouped by name as the format demands.
package struct MetricsText: Sendable {
    /// The `Content-Type` of the format.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// What a figure is for Prometheus.
    package enum Kind: String, Sendable { case gauge, counter }

    private struct Family {
        var kind: Kind
        var help: String
        var samples: [String] = []
    }

    private var order: [String] = []
    private var families: [String: Family] = [:]

    package init() {}

    /// Adds one figure; figures of one name stand together, names stand in the order in which they first
    /// came.
    package mutating func add(
        _ name: String,
        _ value: Double,
        labels: KeyValuePairs<String, String> = [:],
        kind: Kind = .gauge,
        help: String = ""
    ) {
        if families[name] == nil {
            order.append(name)
            families[name] = Family(kind: kind, help: help)
        }
        families[name]?.samples.append("\(name)\(Self.written(labels)) \(Self.written(value))")
    }

    /// Everything that was added.
    package var text: String {
        var lines: [String] = []
        for name in order {
            guard let family = families[name] else { continue }
            if !family.help.isEmpty { lines.append("# HELP \(name) \(family.help)") }
            lines.append("# TYPE \(name) \(family.kind.rawValue)")
            lines += family.samples
        }
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
