import Glibc
import NIOHTTP1

/// A group run by `counterfoil up`, and the phones' way to it.
package final class TestGroup: Sendable {
    package let home: TestHome
    package let up: ChildProcess
    package let gateway: GatewayClient

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
        gateway = try home.client(url: String(url))
    }

    /// Runs a group of a new home while `body` does.
    package static func use<Value>(
        replicas: Int = 1,
        partitions: Int = 2,
        webhook: String? = nil,
        trusting roots: [[UInt8]] = [],
        store: String? = nil,
        environment: [String: String] = [:],
        _ body: (TestGroup) async throws -> Value
    ) async throws -> Value {
        try await TestHome.use(partitions: partitions, webhook: webhook, trusting: roots, store: store) {
            home in
            try await use(home: home, replicas: replicas, environment: environment, body)
        }
    }

    /// Runs the group of a home while `body` does.
    package static func use<Value>(
        home: TestHome,
        replicas: Int = 1,
        environment: [String: String] = [:],
        _ body: (TestGroup) async throws -> Value
    ) async throws -> Value {
        let up = try ChildProcess(
            try Executables.path(),
            ["up", "--home", home.root, "--replicas", String(replicas)],
            folder: home.folder,
            environment: environment
        )
        defer {
            up.destroy()
            for pid in home.processes { kill(pid, SIGKILL) }
        }
        let group = try await TestGroup(home, up)
        do {
            return try await body(group)
        } catch {
            throw HarnessFault("\(error)\n\(group.logTail)")
        }
    }

    /// How the group is; nil while a command cannot say.
    package func status() async throws -> Status {
        try await home.counterfoil("status", "--json").json(Status.self)
    }

    /// What operators see at `/metrics`.
    package func metrics() async throws -> String {
        try await HTTPConnections(to: home.operationsURL).send(.GET, "/metrics").text
    }

    /// What a counter says in `/metrics`, of all partitions together.
    package func counter(_ name: String) async throws -> Double {
        let lines = try await metrics().split(separator: "\n").filter {
            $0.hasPrefix("counterfoil_partition_\(name)_total{")
        }
        return lines.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }

    /// Ends the group politely, so that every store is closed.
    package func down() async throws {
        try await home.counterfoil("down").succeeded()
        guard try await up.finish() == .exited(0) else { throw HarnessFault("up: \(up.errors)") }
    }

    /// Waits until nothing is under way any more.
    package func rest() async throws {
        try await eventually("everything is settled, nothing delayed, nothing dead", within: .seconds(90)) {
            try await status().isAtRest
        }
    }

    /// The process of a program's only replica.
    package func pid(of program: String) async throws -> Int32 {
        try await eventually("\(program) runs") { try await status().processes(of: program).first }
    }

    /// The end of what `up` showed, for a failure's message.
    private var logTail: String { up.output.split(separator: "\n").suffix(40).joined(separator: "\n") }
}
