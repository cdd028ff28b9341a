package import AppStoreSigning
import Foundation
package import Glibc
package import Program

/// A home for tests in a folder of its own, with an App Store whose root certificate it trusts.
package final class TestHome: Sendable {
    package static let bundleID = "com.example.game"
    package static let coins = "coins.120"
    package static let coinsPerPurchase = 120

    /// A subscription, as a catalog has it.
    package static let month =
        #"{"productId":"vip.month","type":"autoRenewable","grants":[{"entitlement":"vip"}]}"#

    /// A catalog of what every home sells, and of more products.
    package static func catalog(with products: String...) -> String {
        let amount = #"{"entitlement":"coins","amount":120}"#
        let coins = #"{"productId":"coins.120","type":"consumable","grants":[\#(amount)]}"#
        let pro = #"{"productId":"pro.lifetime","type":"nonConsumable","grants":[{"entitlement":"pro"}]}"#
        return "{\"products\":[\(([coins, pro] + products).joined(separator: ","))]}"
    }

    /// What of `counterfoil.json` a test needs.
    private struct Settings: Decodable {
        struct App: Decodable {
            struct Key: Decodable { let secret: String }
            let keys: [Key]
            let phoneTokens: Configuration.PhoneTokens?
        }
        let apps: [App]
    }

    /// Holds everything; short, because a socket's path has 107 bytes at most.
    package let folder: String
    package let root: String
    package let signer: AppStoreSigner
    package let apiKey: String
    /// With which tokens of phones are signed.
    package let phoneKey: Configuration.PhoneTokenKey
    package let partitions: Int

    /// Makes the home with `counterfoil init --test`.
    private init(
        folder: String,
        partitions: Int,
        webhook: String?,
        roots: [[UInt8]],
        wire: String?,
        store: String?
    ) async throws {
        self.folder = folder
        root = folder + "/h"
        self.partitions = partitions
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        signer = try AppStoreSigner(stateFolder: folder + "/appstore")
        var options = [
            "init", "--test", "--listen", "127.0.0.1:0", "--home", root, "--bundle-id", Self.bundleID,
            "--partitions", String(partitions),
        ]
        for (number, certificate) in ([signer.rootDER] + roots).enumerated() {
            let file = "\(folder)/root-\(number).der"
            try Data(certificate).write(to: URL(filePath: file))
            options += ["--extra-root", file]
        }
        options += webhook.map { ["--webhook-url", $0] } ?? []
        options += wire.map { ["--wire", $0] } ?? []
        options += store.map { ["--store", $0] } ?? []
        let maker = try ChildProcess(try Executables.path(), options, folder: folder)
        guard try await maker.finish() == .exited(0) else { throw HarnessFault(maker.errors) }
        let bytes = try Data(contentsOf: URL(filePath: root + "/counterfoil.json"))
        let settings = try JSONDecoder().decode(Settings.self, from: bytes)
        guard let app = settings.apps.first, let key = app.keys.first,
            let phoneKey = app.phoneTokens?.keys.first
        else { throw HarnessFault("no key in the home") }
        (apiKey, self.phoneKey) = (key.secret, phoneKey)
    }

    /// A home that is gone with all its processes when `body` is over; `store` is the URL of a commit log.
    package static func use<Value>(
        partitions: Int = 2,
        webhook: String? = nil,
        trusting roots: [[UInt8]] = [],
        wire: String? = nil,
        store: String? = nil,
        _ body: (TestHome) async throws -> Value
    ) async throws -> Value {
        let folder = "/tmp/cf" + UUID().uuidString.prefix(8).lowercased()
        defer { remove(folder) }
        return try await body(
            try await TestHome(
                folder: folder,
                partitions: partitions,
                webhook: webhook,
                roots: roots,
                wire: wire,
                store: store
            )
        )
    }

    /// Where a gateway said that it listens; nil when none ever did.
    package var gatewayURL: String? {
        FileManager.default.contents(atPath: root + "/run/gateway.address").map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// Where the certificates lie with which `signer` signs.
    package var appStoreState: String { folder + "/appstore" }

    /// The gateway as the app of this home uses it.
    package func client(url: String) throws -> GatewayClient {
        try GatewayClient(url: url, bundleID: Self.bundleID, apiKey: apiKey)
    }

    /// Runs `counterfoil` with this home until it ends.
    package func counterfoil(
        _ arguments: String...,
        within limit: Duration = .seconds(60)
    ) async throws -> Answer {
        try await counterfoil(arguments, within: limit)
    }

    /// The same with a list of arguments.
    package func counterfoil(
        _ arguments: [String],
        within limit: Duration = .seconds(60)
    ) async throws -> Answer {
        try await run(nil, arguments + ["--home", root], within: limit)
    }

    /// Runs `counterfoil-<program>` until it ends, or `counterfoil` itself.
    package func run(
        _ program: String?,
        _ arguments: [String],
        input: String? = nil,
        environment: [String: String] = [:],
        within limit: Duration = .seconds(60)
    ) async throws -> Answer {
        let file = "\(folder)/\(UUID().uuidString.prefix(8)).in"
        if let input { try Data(input.utf8).write(to: URL(filePath: file)) }
        let process = try ChildProcess(
            try Executables.path(program),
            arguments,
            folder: folder,
            environment: environment,
            input: input == nil ? "/dev/null" : file
        )
        defer { process.destroy() }
        let end = try await process.finish(within: limit)
        return Answer(end: end, output: process.output, errors: process.errors)
    }

    /// What a program said until it ended.
    package struct Answer: Sendable {
        package let end: ChildProcess.End
        package let output: String
        package let errors: String

        /// The answer of a program that must have ended with exit code 0.
        ///
        /// - Throws: `HarnessFault` with what it said.
        @discardableResult
        package func succeeded() throws -> Answer {
            guard end == .exited(0) else { throw HarnessFault("\(end): \(output)\(errors)") }
            return self
        }

        package func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            do {
                return try JSONDecoder().decode(type, from: Data(output.utf8))
            } catch {
                throw HarnessFault("not \(type): \(output)\(errors)")
            }
        }
    }

    /// Where the gateway of a running group has its metrics.
    package var operationsURL: String {
        get throws {
            let file = Home(root: root).operationsAddressFile
            return try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
        }
    }

    package var processes: [pid_t] { Self.processes(under: folder) }

    /// The processes that name something of a folder on their command lines.
    private static func processes(under folder: String) -> [pid_t] {
        Paths.matching("/proc/[0-9]*/cmdline").compactMap { file in
            let line = FileManager.default.contents(atPath: file) ?? Data()
            guard String(decoding: line, as: UTF8.self).contains(folder + "/") else { return nil }
            return pid_t(file.split(separator: "/")[1])
        }
    }

    private static func remove(_ folder: String) {
        for pid in processes(under: folder) { kill(pid, SIGKILL) }
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            print("\(folder) could not be removed: \(error)")
        }
    }
}
