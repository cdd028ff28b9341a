import Foundation
import Testing

@testable import Conformance

@Suite struct `a sample of deploy/examples/clients` {
    @Test(arguments: [Client.python, Client.node])
    func `is one file of 250 lines at most`(command: [String]) throws {
        let text = try String(contentsOfFile: command[1], encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 250)
    }

    @Test func `in Python passes every scenario`() async throws {
        for result in try await Client.play(Scenario.all, Client.python) {
            #expect(result.hasPassed, "\(result.line)")
        }
    }

    private static func slow(_ milliseconds: Int) -> Client.Change {
        Client.Change(
            right: "async write() {\n",
            wrong: "async write() {\n    await new Promise((done) => setTimeout(done, \(milliseconds)));\n"
        )
    }
    /// Sends whatever is in memory.
    private static let impatient = [
        Client.Change(right: "this.written.then(", wrong: "Promise.resolve().then("),
        Client.Change(
            right: "await this.keep();\n    if (!hasProof(",
            wrong: "this.keep();\n    if (!hasProof("
        ),
    ]

    @Test(.enabled(if: Client.hasNode, "there is no Node.js here"))
    func `in JavaScript sends nothing before a slow keychain has it`() async throws {
        let scenario = "killedWhileSending"
        let result = try await Client.play(scenario, with: [Self.slow(300)], of: Client.node)
        #expect(result.hasPassed, "\(result.line)")
        // It must be dead before that, also on a busy machine.
        let changes = [Self.slow(20_000)] + Self.impatient
        let broken = try await Client.play(scenario, with: changes, of: Client.node)
        #expect(broken.law == .keepsBeforeSending, "\(broken.line)")
    }

    @Test(.enabled(if: Client.hasNode, "there is no Node.js here"))
    func `in JavaScript passes every scenario`() async throws {
        for result in try await Client.play(Scenario.all, Client.node) {
            #expect(result.hasPassed, "\(result.line)")
        }
    }
}
