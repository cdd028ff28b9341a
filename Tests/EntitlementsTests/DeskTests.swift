import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

@Suite struct `grants at the desk` {
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
        let question = FactsFindV1(texts: ["1"], bundleIds: [])
        #expect(try harness.handle(question, OnFactsFind().callAsFunction).reply?.facts.isEmpty == true)
    }
}
