import TestKit
import Foundation
import Glibc
import NIOConcurrencyHelpers

/// A group without `up`: the tests start every program, each in surroundings of its own, and start again what ends.
final class LooseGroup: Sendable {
    /// How a program is started.
    struct Surroundings {
        var arguments: [String] = []
        var environment: [String: String] = [:]
    }

    private struct State {
        var surroundings: [String: Surroundings]
        var members: [String: ChildProcess] = [:]
        var ends: [String: [ChildProcess.End]] = [:]
        var isOver = false
    }

    /// How often the members are looked after.
    private static let glance = Duration.milliseconds(200)

    let home: TestHome
    private let state: NIOLockedValueBox<State>

    private init(_ home: TestHome, _ surroundings: [String: Surroundings]) {
        self.home = home
        state = NIOLockedValueBox(State(surroundings: surroundings))
    }

    /// Runs a group of this home while `body` does; the members then end politely.
    static func use<Value: Sendable>(
        home: TestHome,
        surroundings: [String: Surroundings] = [:],
        _ body: (LooseGroup, Gateway) async throws -> Value
    ) async throws -> Value {
        let group = LooseGroup(home, surroundings)
        defer { group.destroy() }
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.keepAlive() }
            do {
                let gateway = try await group.ready()
                let value = try await group.serve(gateway, body)
                try await group.end()
                tasks.cancelAll()
                return value
            } catch {
                tasks.cancelAll()
                throw HarnessFault("\(error)\n\(group.logTails)")
            }
        }
    }

    private func serve<Value>(
        _ gateway: Gateway,
        _ body: (LooseGroup, Gateway) async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await body(self, gateway)
            try await gateway.shutdown()
            return value
        } catch {
            try await gateway.shutdown()
            throw error
        }
    }

    // MARK: Members

    private func keepAlive() async throws {
        while !state.withLockedValue({ $0.isOver }) {
            for program in Executables.group { try lookAfter(program) }
            try await Task.sleep(for: Self.glance)
        }
    }

    private func lookAfter(_ program: String) throws {
        let (member, surroundings) = state.withLockedValue { ($0.members[program], $0.surroundings[program]) }
        if let member {
            guard let end = member.end else { return }
            state.withLockedValue { $0.ends[program, default: []].append(end) }
        }
        // The shell makes room for what a preloaded library changes in the environment before the program begins.
        let started = try ChildProcess(
            "/bin/sh",
            ["-c", #"exec "$0" "$@""#, try Executables.path(program), "--home", home.root]
                + (surroundings?.arguments ?? []),
            folder: home.folder,
            environment: surroundings?.environment ?? [:]
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
    func change(_ program: String, _ change: (inout Surroundings) -> Void) {
        state.withLockedValue { state in
            var surroundings = state.surroundings[program] ?? Surroundings()
            change(&surroundings)
            state.surroundings[program] = surroundings
        }
    }

    private func ready() async throws -> Gateway {
        let url = try await eventually("the gateway listens", within: .seconds(30)) { home.gatewayURL }
        let gateway = Gateway(url: url, home: home)
        _ = try await gateway.insist("readiness", within: .seconds(30)) { try await gateway.get("/readyz") }
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
