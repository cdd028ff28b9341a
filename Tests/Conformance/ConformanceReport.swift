import Foundation

/// What came of one scenario.
struct ScenarioResult: Sendable {
    let name: String
    /// What the client did instead; nil if it passed.
    let failure: (any Error)?

    /// The law that was broken, if the client could be judged.
    var law: Law? { (failure as? Violation)?.law }

    var hasPassed: Bool { failure == nil }

    /// What was done instead, and why that loses money.
    var why: String? { failure.map { "\($0)" } }

    /// For people.
    var line: String {
        guard let why else { return "passed  \(name)" }
        let rule = law?.rule.map { " (rule \($0))" } ?? ""
        return "FAILED  \(ConformanceReport.column(name)) \(why)\(rule)"
    }
}

/// What came of all of them.
struct ConformanceReport: Sendable {
    private struct Item: Encodable {
        let name: String
        let passed: Bool
        let why: String?

        enum CodingKeys: CodingKey { case name, passed, why }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(passed, forKey: .passed)
            // Always there, so that readers need not ask.
            try container.encode(why, forKey: .why)
        }
    }

    private(set) var results: [ScenarioResult] = []

    var hasPassed: Bool { results.allSatisfy(\.hasPassed) }

    var summary: String { "\(results.count { $0.hasPassed }) of \(results.count) scenarios passed" }

    /// Takes the next result; its line for people, which refers to an earlier one that says the same.
    mutating func add(_ result: ScenarioResult) -> String {
        defer { results.append(result) }
        guard let why = result.why, let earlier = results.first(where: { $0.why == why }) else {
            return result.line
        }
        return "FAILED  \(Self.column(result.name)) as \(earlier.name)"
    }

    /// One line.
    func json() throws -> String {
        let items = results.map { Item(name: $0.name, passed: $0.hasPassed, why: $0.why) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(["scenarios": items]), as: UTF8.self)
    }

    /// The name of a scenario, as wide as the longest one.
    static func column(_ name: String) -> String {
        let width = Scenario.all.map(\.name.count).max() ?? 0
        return name.padding(toLength: max(width, name.count), withPad: " ", startingAt: 0)
    }
}
