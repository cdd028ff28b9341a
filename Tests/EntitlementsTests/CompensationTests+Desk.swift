import Contracts
import Domain
import TestKit
import Testing

@testable import Entitlements

/// What is found of compensations.
extension `Compensations in a ledger` {
    @Test func `are found by their buyer, goodwill too, in the buyer's app alone`() throws {
        try give(basis: CompensationBasis(kind: .goodwill))
        func found(in app: BundleID) throws -> [String?] {
            let question = FactsFindV1(texts: [BuyerID.ada.rawValue], bundleIds: [app])
            let answer = try harness.handle(question, OnFactsFind().callAsFunction).reply
            return try #require(answer).facts.filter { $0.kind == .compensated }.map(\.reference)
        }
        #expect(try found(in: .game) == [id().rawValue])
        #expect(try found(in: BundleID(unchecked: "com.example.other")).isEmpty)
    }

    @Test func `are found with what they gave, and as void when nobody has confirmed them in a week`() throws
    {
        func find(_ text: String) throws -> FoundFacts {
            let question = FactsFindV1(texts: [text], bundleIds: [])
            return try #require(harness.handle(question, OnFactsFind().callAsFunction).reply)
        }
        _ = try propose(basis: Self.appleOrder)
        let purchase = PurchaseID.compensation(id())
        let found = try find("MQ5LB2JHXY")
        #expect(found.facts.map(\.word) == ["proposed"] && found.related.contains(purchase.rawValue))
        harness.now = harness.now.advanced(by: Approval.validMilliseconds + 1)
        #expect(try find("MQ5LB2JHXY").facts.map(\.word) == ["void"])
        try give(2, basis: CompensationBasis(kind: .goodwill))
        let given = try find(PurchaseID.compensation(id(2)).rawValue).facts
        #expect(given.map(\.kind).contains(.granted) && given.allSatisfy { $0.orderId == nil })
    }
}
