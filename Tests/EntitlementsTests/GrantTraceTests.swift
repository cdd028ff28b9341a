import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

@Suite struct `the story of a grant` {
    private typealias Harness = EntitlementsHarness

    private let harness: Harness
    /// The request that was granted.
    private let first: EventID

    init() throws {
        harness = try Harness()
        try harness.grant(.facts(signed: 100))
        first = try harness.lastRequest()
    }

    @Test func `is found by the request that the row names`() throws {
        let trace = try harness.trace(first.rawValue)
        #expect(trace.entries.map(\.id) == [first.rawValue])
        #expect(trace.related.contains("1000"))
    }

    @Test func `keeps a request that changes nothing`() throws {
        #expect(harness.recorded.isEmpty)
        try harness.grant(.facts(signed: 100))
        #expect(harness.recorded.count == 1)
        #expect(harness.recorded != ["1000: \(first)"])
        #expect(try harness.lastRequest() == first)
    }

    @Test func `keeps the request before one that changes the row`() throws {
        try harness.grant(.facts(signed: 200, refunded: 100_000))
        #expect(harness.recorded == ["1000: \(first)"])
    }
}
