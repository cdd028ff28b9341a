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

    @Test(.enabled(if: Client.hasNode, "there is no Node.js here"))
    func `in JavaScript passes every scenario`() async throws {
        for result in try await Client.play(Scenario.all, Client.node) {
            #expect(result.hasPassed, "\(result.line)")
        }
    }
}
