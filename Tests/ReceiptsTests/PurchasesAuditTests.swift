import Contracts
import Database
import TestKit
import Testing

@testable import Receipts

@Suite struct `an audit of claims` {
    private let group = ReceiptsGroup()
    private let held = Sample.transaction("1")
    private let proposed = Sample.transaction("2")
    private let orphan = Sample.transaction("3")

    init() throws {
        try group.verifyAndHold(held)
        _ = try group.verify(proposed, Sample.byAlice)
        _ = try group.verify(orphan)
    }

    /// What all partitions say of the purchases together.
    private func audit() throws -> [PurchasesAuditPage] {
        try (0..<ReceiptsGroup.partitions).map { partition in
            let question = PurchasesAuditV1(isListed: true)
            let answer = try group.handle(question, in: partition, OnPurchasesAudit().callAsFunction)
            return try #require(answer.outcome.reply)
        }
    }

    @Test func `has the held ones with holder and order, and counts orphans`() throws {
        let pages = try audit()
        let purchases = pages.flatMap { $0.purchases ?? [] }
        #expect(purchases.map(\.purchaseId.rawValue) == ["1"])
        #expect(purchases.map(\.buyerId) == [Sample.holder.buyer])
        #expect(purchases.map(\.orderId) == [Sample.holder.order])
        #expect(pages.map(\.orphans).reduce(0, +) == 1)
        #expect(pages.allSatisfy { $0.outstanding.isEmpty })
    }

    @Test func `names those that are proposed for over 60 s, with their age, and no orphans`() throws {
        group.harness.now = Sample.start.advanced(by: PurchasesAuditPage.patience + 1)
        let outstanding = try audit().flatMap(\.outstanding)
        #expect(outstanding.map(\.purchaseId.rawValue) == ["2"])
        #expect(outstanding.map(\.ageMs) == [PurchasesAuditPage.patience + 1])
    }

    @Test func `reads them by their key`() throws {
        let id = PurchaseID(unchecked: "1")
        for question in [PurchasesAuditV1(after: id), PurchasesAuditV1(only: [id])] {
            let plan = try group.harness.database.write {
                try $0.plan(of: PurchaseAuditStore.query, for: question)
            }
            #expect(plan.contains { $0.contains("SEARCH claim USING INDEX") }, "\(plan)")
            #expect(!plan.contains { $0.contains("SCAN claim") }, "\(plan)")
        }
    }
}
