import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
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

    @Test func `of one buyer are found up to the newest 20, and the answer says where there are more`() throws
    {
        let goodwill = CompensationBasis(kind: .goodwill)
        func find(_ text: String) throws -> FoundFacts {
            let question = FactsFindV1(texts: [text], bundleIds: [.game])
            return try #require(harness.handle(question, OnFactsFind().callAsFunction).reply)
        }
        for number in 1...20 {
            harness.now = harness.now.advanced(by: 1)
            _ = try #require(propose(UInt8(number), basis: goodwill).reply)
        }
        let all = try find(BuyerID.ada.rawValue)
        #expect(all.facts.count == 20 && !all.isCut)
        harness.now = harness.now.advanced(by: 1)
        _ = try #require(propose(21, basis: goodwill).reply)
        let newest = try find(BuyerID.ada.rawValue)
        #expect(newest.facts.count == 20 && newest.isCut)
        #expect(newest.facts.first?.reference == id(21).rawValue)
        #expect(!newest.facts.contains { $0.reference == id(1).rawValue })
        let first = try find(id(1).rawValue)
        #expect(first.facts.count == 1 && !first.isCut)
    }

    @Test func `on one order of Apple's are all found, however many were taken back`() throws {
        for number in 1...25 {
            harness.now = harness.now.advanced(by: 1)
            _ = try #require(propose(UInt8(number), basis: Self.appleOrder).reply)
            _ = try #require(decide(.reverse, UInt8(number)).reply)
        }
        let question = FactsFindV1(texts: ["MQ5LB2JHXY"], bundleIds: [])
        let found = try #require(harness.handle(question, OnFactsFind().callAsFunction).reply)
        #expect(Set(found.facts.map(\.reference)).count == 25 && !found.isCut)
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

    @Test
    func `are withdrawn by whoever has proposed them, and by no other without the role, until confirmed`()
        throws
    {
        func withdraw(_ number: UInt8, by acting: OperatorID) throws -> RequestOutcome<CompensationV1> {
            let request = CompensationDecideV1(
                proposalId: id(number),
                decision: .reverse,
                reason: "a mistake",
                operatorId: acting,
                onlyOwn: true
            )
            let handler = OnCompensationDecide(catalog: harness.catalog)
            return try harness.handle(request) { message, context in
                try RequestOutcome<CompensationV1> { try handler(message, in: context) }
            }
        }
        _ = try propose(basis: Self.appleOrder)
        #expect(try withdraw(1, by: `A compensation`.mei).refusal == .othersProposal)
        #expect(try withdraw(1, by: `A compensation`.lin).reply?.state == .void)
        #expect(try withdraw(1, by: `A compensation`.lin).reply?.state == .void, "twice is once")
        try give(2, basis: CompensationBasis(kind: .goodwill))
        #expect(try withdraw(2, by: `A compensation`.lin).refusal == .othersProposal)
        #expect(try harness.held() == "100")
        #expect(try decide(.reverse, 2).reply?.state == .reversed)
    }

    @Test func `that were taken back are found with the reason of that, and with when they were granted`()
        throws
    {
        try give(basis: Self.appleOrder)
        let grantedAt = harness.now
        harness.now = harness.now.advanced(by: 60_000)
        _ = try #require(decide(.reverse).reply)
        let question = FactsFindV1(texts: ["MQ5LB2JHXY"], bundleIds: [])
        let found = try #require(harness.handle(question, OnFactsFind().callAsFunction).reply)
        let fact = try #require(found.facts.first { $0.kind == .compensated })
        #expect(fact.word == "reversed" && fact.detail == "a mistake")
        #expect(fact.at == harness.now && fact.since == grantedAt)
    }

    @Test(arguments: CompensationDecideV1.Decision.allCases)
    func `are only looked at by a dry run, which decides nothing`(
        decision: CompensationDecideV1.Decision
    ) throws {
        func look() throws -> RequestOutcome<CompensationV1> {
            let request = CompensationDecideV1(
                proposalId: id(),
                decision: decision,
                operatorId: `A compensation`.mei,
                isDryRun: true
            )
            return try harness.handle(request, OnCompensationDecide(catalog: harness.catalog).callAsFunction)
        }
        #expect(try look().refusal == .noSuchProposal)
        let proposed = try #require(propose(basis: Self.appleOrder).reply)
        #expect(try look().reply == proposed)
        harness.now = harness.now.advanced(by: Approval.validMilliseconds + 1)
        #expect(try look().reply?.state == .void, "nobody can confirm it any more")
        #expect(harness.sent.isEmpty)
        #expect(try acts() == ["compensationProposed"] && harness.held() == "0")
        let states = try harness.rows("SELECT state FROM compensation")
        #expect(try states.map { try $0["state"] as String } == ["proposed"])
    }
}
