import Foundation

/// PostgreSQL of its own for a test: a primary and its synchronous standby, or a primary alone.
package struct PostgreSQLServers: Sendable {
    /// Of the database, for `counterfoil init --store`.
    package let url: String
    private let folder: String

    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "deploy/postgresql").path(percentEncoded: false)

    /// Servers that are gone when `body` is over.
    package static func use<Value>(
        alone: Bool = false,
        _ body: (PostgreSQLServers) async throws -> Value
    ) async throws -> Value {
        let folder = "/tmp/cfpg" + UUID().uuidString.prefix(8).lowercased()
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        do {
            let started = try await run(
                ["start", folder + "/servers"] + (alone ? ["--alone"] : []),
                in: folder
            )
            let servers = PostgreSQLServers(
                url: started.trimmingCharacters(in: .whitespacesAndNewlines),
                folder: folder
            )
            let value = try await body(servers)
            try await servers.remove()
            return value
        } catch {
            try await PostgreSQLServers(url: "", folder: folder).remove()
            throw error
        }
    }

    /// Ends the primary as a power cut does, and starts it again.
    package func killPrimary() async throws { try await Self.run(["kill", folder + "/servers"], in: folder) }

    /// Changes a setting of the primary, for connections that are made from now on.
    package func set(_ name: String, _ value: String) async throws {
        try await Self.run(["set", folder + "/servers", name, value], in: folder)
    }

    private func remove() async throws {
        if FileManager.default.fileExists(atPath: folder + "/servers/primary") {
            // Also when the test was cancelled.
            try await Task { _ = try await Self.run(["stop", folder + "/servers"], in: folder) }.value
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    @discardableResult
    private static func run(_ arguments: [String], in folder: String) async throws -> String {
        let process = try ChildProcess(script, arguments, folder: folder)
        let end = try await process.finish(within: .seconds(60))
        guard end == .exited(0) else { throw HarnessFault("\(script): \(process.output)\(process.errors)") }
        return process.output
    }
}
