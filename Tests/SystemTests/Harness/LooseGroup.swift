import Glibc
import NIOConcurrencyHelpers
import TestKit

/// A group without `up`: the tests start every program, each in surroundings of its own, and start again what ends.
final class LooseGroup: Sendable {
    /// How a program is started.
    struct Settings {
        var arguments: [String] = []
        var environment: [String: String] = [:]
    }

    private struct State {
        var settings: [String: Settings]
        var members: [String: ChildProcess] = [:]
        var ends: [String: [ChildProcess.End]] = [:]
        var isOver = false
    }

    /// How often the members are looked after.
    private static let pollInterval = Duration.milliseconds(200)

    let home: TestHome
    private let state: NIOLockedValueBox<State>

    private init(_ home: TestHome, _ settings: [String: Settings]) {
        self.home = home
        state = NIOLockedValueBox(State(settings: settings))
    }

    /// Runs a group of this home while `body` does; the members then end politely.
    static func use<Value: Sendable>(
        home: TestHome,
        settings: [String: Settings] = [:],
        _ body: (LooseGroup, GatewayClient) async throws -> Value
    ) async throws -> Value {
        let group = LooseGroup(home, settings)
        defer { group.destroy() }
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.keepAlive() }
            do {
                let gateway = try await group.ready()
                let value = try await body(group, gateway)
                try await group.end()
                tasks.cancelAll()
                return value
            } catch {
                tasks.cancelAll()
                throw HarnessFault("\(error)\n\(group.logTails)")
            }
        }
    }

    // MARK: Members

    private func keepAlive() async throws {
        while !state.withLockedValue({ $0.isOver }) {
            for program in Executables.group { try restartIfEnded(program) }
            try await Task.sleep(for: Self.pollInterval)
        }
    }

    private func restartIfEnded(_ program: String) throws {
        let (member, settings) = state.withLockedValue { ($0.members[program], $0.settings[program]) }
        if let member {
            guard let end = member.end else { return }
            state.withLockedValue { $0.ends[program, default: []].append(end) }
        }
        // The shell makes room for what a preloaded library changes in the environment before the program begins.
        let started = try ChildProcess(
            "/bin/sh",
            ["-c", #"exec "$0" "$@""#, try Executables.path(program), "--home", home.root]
                + (settings?.arguments ?? []),
            folder: home.folder,
            environment: settings?.environment ?? [:]
        )
        state.withLockedValue { $0.members[program] = started }
    }

    /// The living process of a program.
    func member(_ program: String) -> ChildProcess? {
        state.withLockedValue { $0.members[program] }.flatMap { $0.end == nil ? $0 : nil }
    }

    /// How earlier lives of a program ended.
    func ends(of program: String) -> [ChildProcess.End] { state.withLockedValue { $0.ends[program] ?? [] } }

    /// Changes how a program is started from now on.
    func change(_ program: String, _ change: (inout Settings) -> Void) {
        state.withLockedValue { state in
            var settings = state.settings[program] ?? Settings()
            change(&settings)
            state.settings[program] = settings
        }
    }

    private func ready() async throws -> GatewayClient {
        let url = try await eventually("the gateway listens", within: .seconds(30)) { home.gatewayURL }
        let gateway = try home.client(url: url)
        _ = try await gateway.retry("readiness", within: .seconds(30)) { try await gateway.get("/readyz") }
        return gateway
    }

    private func end() async throws {
        state.withLockedValue { $0.isOver = true }
        for member in state.withLockedValue({ $0.members.values }) {
            member.send(SIGTERM)
            _ = try await member.finish()
        }
    }

    private func destroy() {
        let members = state.withLockedValue { state in
            state.isOver = true
            return state.members.values
        }
        for member in members { member.destroy() }
        for pid in home.processes { kill(pid, SIGKILL) }
    }

    private var logTails: String {
        state.withLockedValue { $0.members }.map { name, member in
            "\(name):\n"
                + (member.output + member.errors).split(separator: "\n").suffix(12).joined(separator: "\n")
        }
        .joined(separator: "\n")
    }
}
