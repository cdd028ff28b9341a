import TestKit
import Foundation
import Glibc

/// A group run by `counterfoil up`, and the phones' way to it.
final class TestGroup: Sendable {
    let home: TestHome
    let up: ChildProcess
    let gateway: Gateway

    private init(_ home: TestHome, _ up: ChildProcess) async throws {
        self.home = home
        self.up = up
        let marker = "gateway ready at "
        let url = try await eventually(
            "the gateway is ready",
            within: .seconds(60),
            detail: { up.output + up.errors }
        ) {
            guard up.end == nil else { throw HarnessFault("up ended: \(up.output)\(up.errors)") }
            return up.output.split(separator: "\n").first { $0.hasPrefix(marker) }?.dropFirst(marker.count)
        }
        gateway = Gateway(url: String(url), home: home)
    }

    /// Runs a group of a new home while `body` does.
    static func use<Value>(
        partitions: Int = 2,
        webhook: String? = nil,
        trusting roots: [[UInt8]] = [],
        environment: [String: String] = [:],
        _ body: (TestGroup) async throws -> Value
    ) async throws -> Value {
        try await TestHome.use(partitions: partitions, webhook: webhook, trusting: roots) { home in
            try await use(home: home, environment: environment, body)
        }
    }

    /// Runs the group of a home while `body` does.
    static func use<Value>(
        home: TestHome,
        environment: [String: String] = [:],
        _ body: (TestGroup) async throws -> Value
    ) async throws -> Value {
        let up = try ChildProcess(
            try Executables.path(),
            ["up", "--home", home.root],
            folder: home.folder,
            environment: environment
        )
        defer {
            up.destroy()
            for pid in home.processes { kill(pid, SIGKILL) }
        }
        let group = try await TestGroup(home, up)
        do {
            let value = try await body(group)
            try await group.gateway.shutdown()
            return value
        } catch {
            try await group.gateway.shutdown()
            throw HarnessFault("\(error)\n\(group.logTail)")
        }
    }

    /// How the group is; nil while a command cannot say.
    func status() async throws -> Status { try await home.counterfoil("status", "--json").json(Status.self) }

    /// Waits until nothing is under way any more.
    func rest() async throws {
        try await eventually("everything is settled, nothing held, nothing dead", within: .seconds(40)) {
            try await status().isAtRest
        }
    }

    /// The process of a program's only replica.
    func pid(of program: String) async throws -> Int32 {
        try await eventually("\(program) runs") { try await status().pid(of: program) }
    }

    /// The end of what `up` showed, for a failure's message.
    private var logTail: String { up.output.split(separator: "\n").suffix(40).joined(separator: "\n") }
}
