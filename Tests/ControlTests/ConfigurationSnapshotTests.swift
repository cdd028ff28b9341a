import Contracts
import Foundation
import Testing

@testable import Control
@testable import Program

@Suite(.temporaryFolder) struct `the configuration that all programs of a group run with` {
    /// A home whose app has a key for Apple's servers.
    let home: Home

    init() throws { home = try .initialised("--test", "--app-store", "http://127.0.0.1:8090") }

    private static func change(_ file: String, _ old: String, _ new: String) throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try Data(text.replacing(old, with: new).utf8).write(to: URL(filePath: file))
    }

    private func version() throws -> String { try ConfigurationSnapshot(of: home).version }

    /// Why the home's files cannot be used.
    private func refusal() throws -> ConfigurationError {
        try #require(throws: ConfigurationError.self) { try ConfigurationSnapshot(of: home) }
    }

    @Test func `the same files have the same version, wherever the home is mounted`() throws {
        let version = try version()
        #expect(version.count == 12)
        #expect(try self.version() == version)
        let other = Home(root: home.root + "2")
        try FileManager.default.copyItem(atPath: home.root, toPath: other.root)
        #expect(try ConfigurationSnapshot(of: other).version == version)
    }

    @Test func `another configuration or key is another version, another catalog is not`() throws {
        var versions = [try version()]
        try Self.change(home.configurationFile, "127.0.0.1:8080", "127.0.0.1:8081")
        versions.append(try version())
        try Self.change(home.loadedCatalogFile, "coins.120", "coins.130")
        #expect(try version() == versions.last)
        let server = try #require(try Configuration(of: home).apps.first?.appStoreServer)
        try Self.change(home.path(server.privateKey), "\n", "\n\n")
        versions.append(try version())
        #expect(Set(versions).count == 3)
    }

    @Test func `what is handed on is read by everybody, whatever becomes of the files`() throws {
        let snapshot = try SnapshotFile(ConfigurationSnapshot(of: home), of: home)
        let files = try FileManager.default.contentsOfDirectory(atPath: home.root)
        #expect(files.allSatisfy { !$0.hasPrefix(".") })
        try FileManager.default.removeItem(atPath: home.configurationFile)
        let environment = [ConfigurationSnapshot.environmentVariable: String(snapshot.descriptor.number)]
        for _ in 0..<2 {
            let child = try home.withSnapshot(environment: environment)
            #expect(child.version == snapshot.version)
            #expect(try Configuration(of: child) == snapshot.configuration)
        }
    }

    @Test func `a key that is missing is named with the member that names it`() throws {
        let server = try #require(try Configuration(of: home).apps.first?.appStoreServer)
        try FileManager.default.removeItem(atPath: home.path(server.privateKey))
        let error = try refusal()
        #expect(error.file == home.path(server.privateKey))
        #expect(error.description.contains("is missing; apps[0].appStoreServer.privateKey"), "\(error)")
    }

    @Test func `a configuration that is not JSON says where`() throws {
        try Data("{\n  \"apps\": [,]\n}".utf8).write(to: URL(filePath: home.configurationFile))
        let place = "\(home.configurationFile): line 2, column 12: is not JSON: "
        #expect(try refusal().description.hasPrefix(place))
    }

    @Test func `a descriptor that holds nothing is a clear error, not the files instead`() throws {
        for number in ["x", "9999", "0"] {
            let environment = [ConfigurationSnapshot.environmentVariable: number]
            let error = try #require(throws: ConfigurationError.self) {
                try home.withSnapshot(environment: environment)
            }
            #expect(error.exitCode == 2)
        }
    }

    @Test func `an example that was not filled in says what to replace, and where`() throws {
        let example = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../deploy/examples/counterfoil.json")
        let text = try String(contentsOf: example, encoding: .utf8)
        let error = try #require(throws: ConfigurationError.self) { try Configuration(json: text) }
        let first = "replace what begins with REPLACE in apps[0].appStoreServer.issuerId, "
        #expect(error.description.contains(first), "\(error)")
        #expect(error.description.contains("apps[0].keys[0].secret, apps[0].phoneTokens.jwks, "))
        let secrets = "apps[0].phoneTokens.keys[1].secret, apps[0].verifyReceipt.sharedSecret"
        #expect(error.description.contains(secrets))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(error.place?.line == lines.firstIndex { $0.contains("issuerId") }.map { $0 + 1 })
    }
}

@Suite struct `a file that may not be used` {
    @Test func `is named with its owner, its mode and the user who asked`() {
        let text = FileAccess.denial("/var/lib/counterfoil/run", owner: 0, mode: 0o700, user: 65_534)
        #expect(text.hasPrefix("permission denied: /var/lib/counterfoil/run belongs to root (mode 700), "))
        #expect(text.contains("(mode 700), and this runs as "))
        #expect(text.hasSuffix("; run it as root"))
        #expect(FileAccess.denial("/x", owner: 4_000_000_000, mode: 0, user: 0).contains("user 4000000000"))
    }
}
