import Foundation
import Testing

@testable import Conformance

/// A client of deploy/examples, as it stands there or with a rule broken.
struct Client {
    /// What a developer might have written instead.
    struct Change: Sendable {
        /// Must stand in the client exactly once.
        let right: String
        let wrong: String
    }

    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "deploy/examples/clients")

    static let python = ["python3", folder.appending(path: "python/client.py").path(percentEncoded: false)]
    static let node = ["node", folder.appending(path: "node/client.mjs").path(percentEncoded: false)]

    /// Whether there is a Node.js here that runs clients.
    static let hasNode = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/node") }

    /// What a client does in one scenario.
    static func play(
        _ scenario: String,
        _ command: [String],
        limit: Duration = .seconds(30)
    ) async throws
        -> ScenarioResult
    {
        let scenario = try #require(Scenario.all.first { $0.name == scenario })
        let run = ConformanceRun(setting: setting(command, limit: limit))
        return try await onThread { try run.result(of: scenario) }
    }

    /// What a client does in all of these scenarios, after it was greeted.
    static func play(
        _ scenarios: [Scenario],
        _ command: [String],
        limit: Duration = .seconds(30)
    ) async throws
        -> [ScenarioResult]
    {
        let run = ConformanceRun(setting: setting(command, limit: limit))
        return try await onThread {
            var results: [ScenarioResult] = []
            try run.run(scenarios) { results.append($0) }
            return results
        }
    }

    private static func setting(_ command: [String], limit: Duration) -> Stage.Setting {
        Stage.Setting(command: command, limit: limit, running: RunningPhone())
    }

    /// Scenarios wait, and must not keep the tests' own threads from others meanwhile.
    private static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result(catching: body)) }.start()
        }
    }

    /// What a client does in a scenario after a change.
    static func play(
        _ scenario: String,
        with changes: [Change],
        of client: [String] = python
    ) async throws -> ScenarioResult {
        var text = try String(contentsOfFile: client[1], encoding: .utf8)
        for change in changes {
            let count = text.components(separatedBy: change.right).count - 1
            try #require(count == 1, "the client has this \(count) times: \(change.right)")
            text = text.replacing(change.right, with: change.wrong)
        }
        let name = "\(UUID().uuidString)-\(URL(filePath: client[1]).lastPathComponent)"
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        let result = try await play(scenario, [client[0], file.path(percentEncoded: false)])
        try FileManager.default.removeItem(at: file)
        return result
    }
}
