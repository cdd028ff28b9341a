import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Notifications

@Suite struct `webhooks at the desk` {
    private let harness = NotificationsHarness()

    private func find(_ text: String) throws -> [DeskFact] {
        let question = FactsFindV1(texts: [text], bundleIds: [.game])
        return try #require(harness.harness.handle(question, OnFactsFind().callAsFunction).reply).facts
    }

    private func undelivered(after: DeskPage.Place? = nil, limit: Int = 50) throws -> DeskPage {
        let question = DeskListV1(list: .undelivered, before: nil, after: after, limit: limit)
        return try #require(harness.harness.handle(question, OnDeskList().callAsFunction).reply)
    }

    @Test func `say what the server answered, how often, and when it is tried again`() async throws {
        try harness.tell("1")
        #expect(try find("1").map(\.kind) == [.serverAwaited])
        try await harness.work(status: 500)
        let refused = try #require(try find("1").first)
        #expect(refused.kind == .serverRefuses && refused.word == "500" && refused.count == 1)
        #expect(refused.next != nil)
        harness.now = harness.now.advanced(by: 10_000)
        try await harness.work(status: 200)
        #expect(try find("1").map(\.kind) == [.serverTold])
    }

    @Test func `list the first of each buyer, with what waits behind it`() async throws {
        for transaction in ["1", "2", "3"] { try harness.tell(transaction) }
        harness.now = harness.now.advanced(by: 1)
        try harness.tell("4", of: .eve)
        try await harness.work(status: 503)
        let first = try undelivered(limit: 1)
        #expect(first.rows.map(\.buyerId) == [.ada] && first.hasMore)
        #expect(first.rows[0].behind == 2 && first.rows[0].reason == "503")
        let second = try undelivered(after: first.rows[0].place)
        #expect(second.rows.map(\.buyerId) == [.eve] && !second.hasMore)
        #expect(try find(BuyerID.ada.rawValue).count == 3)
    }

    @Test func `are listed by an index led by their time, and nothing is sorted`() throws {
        let question = DeskListV1(list: .undelivered, before: harness.now, after: nil, limit: 50)
        let plan = try harness.harness.database.write { try $0.plan(of: UndeliveredWebhooks.query(question)) }
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        #expect(plan.contains { $0.contains("INDEX webhook_due_since ((created_at,event_id)>") }, "\(plan)")
    }

    @Test func `and what phones were told are found by index`() throws {
        let order = OrderID(time: harness.now, shard: Shard(rawValue: 7), random: 1)
        let queries = [
            ToldFacts.verdicts(of: ReceiptID(unchecked: "r")), ToldFacts.verdicts(of: order),
            ToldFacts.webhooks(about: "1"), ToldFacts.waiting(for: "ada", in: .game),
        ]
        for query in queries {
            let plan = try harness.harness.database.write { try $0.plan(of: query) }
            #expect(plan.contains { $0.hasPrefix("SEARCH") }, "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
        }
    }
}
