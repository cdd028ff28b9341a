import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

@Suite struct `the story of a grant` {
    private let harness = EntitlementsHarness()
    /// The request that was granted.
    private let first: EventID

    init() throws {
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

    @Test func `names the request that takes the purchase from its buyer by its own type`() throws {
        let castle = TransactionFacts.facts(product: "castle", type: ProductType.nonConsumable)
        let holding = EntitlementsHarness()
        try holding.grant(castle)
        holding.now = holding.now.advanced(by: 5)
        try holding.take(castle, isAnswered: true)
        let entries = try holding.trace(castle.purchaseId.rawValue).entries
        #expect(try entries.last?.id == holding.lastRequest().rawValue)
        let types = [PurchaseReportedV1.type.rawValue, TransferRequestedV1.type.rawValue]
        #expect(entries.map(\.type) == types)
    }

    @Test func `keeps the request before one that changes the row`() throws {
        try harness.grant(.facts(signed: 200, refunded: 100_000))
        #expect(harness.recorded == ["1000: \(first)"])
    }
}
