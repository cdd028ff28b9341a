import Testing

@testable import Conformance

@Suite struct `a sample of deploy/examples/clients` {
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
