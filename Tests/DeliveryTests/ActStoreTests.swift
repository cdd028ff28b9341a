import Contracts
import Database
import TestKit
import Testing

@testable import Delivery

@Suite struct `The record of acts` {
    @Test func `is read by an index of each name, and scanned for none`() throws {
        let store = try SQLiteDatabase(path: ":memory:")
        try store.write { try DeliverySchema.schema.migrate($0) }
        let question = ActsListV1(before: 9, about: "ada", limit: 5)
        let plan = try store.write { try $0.plan(of: ActStore.query(question)) }
        for index in ["act_subject", "act_proposal", "act_operator", "act_person"] {
            #expect(plan.contains { $0.contains("INDEX \(index) (") }, "\(plan)")
        }
        #expect(!plan.contains { $0.hasPrefix("SCAN act") }, "\(plan)")
    }
}
