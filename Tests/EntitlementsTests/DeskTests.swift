import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

@Suite struct `grants at the desk` {
    @Test func `say in both languages why they are parked`() {
        for reason in ParkReason.allCases {
            #expect(DeskWords.known[.grantParked]?[reason.rawValue] != nil, "\(reason)")
        }
    }

    @Test func `list the compensations that another operator may confirm, by an index of their time`() throws
    {
        let harness = EntitlementsHarness()
        let shard = PartitionKey.buyer(.ada, of: .game).shard
        func propose(_ number: UInt8) throws {
            let request = CompensationProposeV1(
                proposalId: ProposalID(
                    .compensation,
                    shard: shard,
                    digest: Array(repeating: number, count: 14)
                ),
                bundleId: .game,
                buyerId: .ada,
                environment: .production,
                productId: ProductID(unchecked: "coins.100"),
                quantity: 1,
                basis: CompensationBasis(kind: .goodwill),
                reason: "ticket 4711",
                operatorId: OperatorID(unchecked: "o000000000001")
            )
            let propose = OnCompensationPropose(catalog: harness.catalog)
            _ = try #require(harness.handle(request, propose.callAsFunction).reply)
        }
        func list(after: DeskPage.Place? = nil, limit: Int = 1) throws -> DeskPage {
            let question = DeskListV1(list: .proposals, before: nil, after: after, limit: limit)
            return try #require(harness.handle(question, OnDeskList().callAsFunction).reply)
        }
        try propose(1)
        harness.now = harness.now.advanced(by: 1_000)
        try propose(2)
        let first = try list()
        #expect(first.hasMore && first.rows.map(\.kind) == [.proposedCompensation])
        let second = try list(after: first.rows[0].place)
        #expect(!second.hasMore && second.rows[0].proposalId != first.rows[0].proposalId)
        harness.now = harness.now.advanced(by: Approval.validMilliseconds)
        #expect(try list(limit: 9).rows.map(\.proposalId) == [second.rows[0].proposalId], "a week is over")
        let question = DeskListV1(list: .proposals, before: harness.now, after: nil, limit: 50)
        let plan = try harness.database.write {
            try $0.plan(of: ProposedCompensations.query(question, at: harness.now))
        }
        #expect(plan.count == 1 && plan[0].contains("INDEX compensation_proposed ((proposed_at,"), "\(plan)")
    }

    @Test func `that are parked are listed by their index alone`() throws {
        let harness = EntitlementsHarness()
        let question = DeskListV1(list: .parked, before: harness.now, after: nil, limit: 50)
        let plan = try harness.database.write { try $0.plan(of: ParkedGrants.query(question)) }
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "a page sorts nothing: \(plan)")
        let index = "COVERING INDEX grants_parked_since ((changed_at,purchase_id"
        #expect(plan.contains { $0.contains(index) }, "\(plan)")
        let page = try #require(harness.handle(question, OnDeskList().callAsFunction).reply)
        #expect(page.rows.isEmpty && !page.hasMore)
    }

    @Test func `and compensations are found by index`() throws {
        let harness = EntitlementsHarness()
        let plan = try harness.database.write { try $0.plan(of: GrantFacts.compensations("x")) }
        #expect(!plan.contains { $0.hasPrefix("SCAN compensation") }, "\(plan)")
        let ofBuyer = try harness.database.write {
            try $0.plan(of: GrantFacts.compensations(of: "ada", in: .game))
        }
        #expect(ofBuyer.contains { $0.contains("INDEX compensation_of_buyer (") }, "\(ofBuyer)")
        let facts = TransactionFacts.facts()
        let purchase = try harness.database.write {
            try $0.plan(of: CompensationStore.named(by: facts))
                + $0.plan(of: "SELECT * FROM grants WHERE purchase_id = \(facts.purchaseId)")
        }
        #expect(!purchase.contains { $0.hasPrefix("SCAN") }, "\(purchase)")
        let found = try harness.database.write { try $0.plan(of: CompensationStore.first) }
        let first = "SCAN compensation USING INDEX compensation_one_per_order"
        #expect(found == [first], "and stops at the first")
        let question = FactsFindV1(texts: ["1"], bundleIds: [])
        #expect(try harness.handle(question, OnFactsFind().callAsFunction).reply?.facts.isEmpty == true)
    }
}
