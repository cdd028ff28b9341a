import TestKit
import AppStoreSigning
import Contracts
import Foundation
import Glibc

/// A home for tests in a folder of its own, with an App Store whose root certificate it trusts.
final class TestHome: Sendable {
    static let bundleID = "com.example.game"
    static let coins = "coins.120"
    static let coinsPerPurchase = 120

    /// What of `counterfoil.json` a test needs.
    private struct Settings: Decodable {
        struct App: Decodable {
            struct Key: Decodable { let secret: String }
            let keys: [Key]
        }
        let apps: [App]
    }

    /// Holds everything; short, because a socket's path has 107 bytes at most.
    let folder: String
    let root: String
    let signer: AppStoreSigner
    let apiKey: String
    let partitions: Int

    /// Makes the home with `counterfoil init --test`.
    private init(folder: String, partitions: Int, webhook: String?, roots: [[UInt8]]) async throws {
        self.folder = folder
        root = folder + "/h"
        self.partitions = partitions
        signer = try AppStoreSigner()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var options = [
            "init", "--test", "--listen", "127.0.0.1:0", "--home", root, "--bundle-id", Self.bundleID,
            "--partitions", String(partitions),
        ]
        for (number, certificate) in ([signer.rootDER] + roots).enumerated() {
            let file = "\(folder)/root-\(number).der"
            try Data(certificate).write(to: URL(filePath: file))
            options += ["--extra-root", file]
        }
        let maker = try ChildProcess(
            try Executables.path(),
            options + (webhook.map { ["--webhook-url", $0] } ?? []),
            folder: folder
        )
        guard try await maker.finish() == .exited(0) else { throw HarnessFault(maker.errors) }
        let bytes = try Data(contentsOf: URL(filePath: root + "/counterfoil.json"))
        let settings = try JSONDecoder().decode(Settings.self, from: bytes)
        guard let key = settings.apps.first?.keys.first else { throw HarnessFault("no key in the home") }
        apiKey = key.secret
    }

    /// A home that is gone with all its processes when `body` is over.
    static func use<Value>(
        partitions: Int = 2,
        webhook: String? = nil,
        trusting roots: [[UInt8]] = [],
        _ body: (TestHome) async throws -> Value
    ) async throws -> Value {
        let folder = "/tmp/cf" + UUID().uuidString.prefix(8).lowercased()
        defer { remove(folder) }
        return try await body(
            try await TestHome(folder: folder, partitions: partitions, webhook: webhook, roots: roots)
        )
    }

    /// Where a gateway said that it listens; nil when none ever did.
    var gatewayURL: String? {
        FileManager.default.contents(atPath: root + "/run/gateway.address").map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// Runs `counterfoil` with this home until it ends.
    func counterfoil(_ arguments: String..., within limit: Duration = .seconds(30)) async throws -> Answer {
        try await run(nil, arguments + ["--home", root], within: limit)
    }

    /// Runs `counterfoil-<program>` until it ends, or `counterfoil` itself.
    func run(
        _ program: String?,
        _ arguments: [String],
        input: String? = nil,
        environment: [String: String] = [:],
        within limit: Duration = .seconds(30)
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
    struct Answer {
        let end: ChildProcess.End
        let output: String
        let errors: String

        /// Its output as JSON.
        func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
            do {
                return try JSONDecoder().decode(type, from: Data(output.utf8))
            } catch {
                throw HarnessFault("not \(type): \(output)\(errors)")
            }
        }
    }

    /// The processes that belong to this home.
    var processes: [pid_t] { Self.processes(under: folder) }

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

extension TestHome {
    /// A server notification about a transaction, both signed by the App Store of this home, or another one.
    func notification(
        _ type: String,
        about transaction: SignedTransaction,
        by other: AppStoreSigner? = nil
    ) throws -> String {
        let signer = other ?? signer
        let data: [String: JSONValue] = [
            "environment": .string(transaction.environment), "bundleId": .string(transaction.bundleId),
            "signedTransactionInfo": .string(try signer.sign(transaction: transaction)),
        ]
        let payload: [String: JSONValue] = [
            "notificationType": .string(type), "notificationUUID": .string(UUID().uuidString.lowercased()),
            "version": .string("2.0"), "signedDate": .integer(transaction.signedDate), "data": .object(data),
        ]
        return try signer.sign(payload: Array(try JSONEncoder().encode(JSONValue.object(payload))))
    }
}
