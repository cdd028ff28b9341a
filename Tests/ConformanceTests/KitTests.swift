import TestKit
import Testing

@testable import Conformance

@Suite struct `the kit` {
    @Test func `passes every scenario in counterfoil-kit-phone`() async throws {
        for result in try await Client.play(Scenario.all, [Executables.path("kit-phone")]) {
            #expect(result.hasPassed, "\(result.line)")
        }
    }
}
