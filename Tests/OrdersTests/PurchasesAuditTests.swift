import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Orders

@Suite struct `an audit of orders` {
    private let harness = OrdersHarness()

    /// Pays an order on the spot for Ada.
    private func pay(_ transaction: String) throws {
        try harness.propose(.caller(.ada), .bought(transaction))
    }

    private func recordGrant(_ transaction: String, _ outcome: GrantOutcome) throws {
        let order = try #require(audit(only: transaction).purchases?.first?.orderId)
        #expect(try harness.recordGrant(order, outcome, transaction) == .applied)
    }

    private func audit(_ question: PurchasesAuditV1) throws -> PurchasesAuditPage {
        try #require(harness.handle(question, OnPurchasesAudit().callAsFunction).reply)
    }

    private func audit(only transactions: String...) throws -> PurchasesAuditPage {
        try audit(PurchasesAuditV1(only: transactions.map { PurchaseID(unchecked: $0) }))
    }

    @Test func `has every paid order, and what the ledger said of it`() throws {
        _ = try harness.issue()
        for id in ["1", "2", "3", "4"] { try pay(id) }
        try recordGrant("1", .granted)
        try recordGrant("2", .reversed)
        try recordGrant("3", .parked)
        let page = try audit(PurchasesAuditV1(isListed: true))
        let purchases = try #require(page.purchases)
        #expect(purchases.map(\.purchaseId.rawValue) == ["1", "2", "3", "4"])
        #expect(purchases.map(\.outcome) == [.granted, .reversed, .parked, nil])
        #expect(page.count == 4 && page.next == nil && page.outstanding.isEmpty)
        let sums = try audit(PurchasesAuditV1())
        #expect(sums.purchases == nil && sums.owners == page.owners && sums.outcomes == page.outcomes)
    }

    @Test func `names paid orders of which the ledger has not told for over 60 s, with their age`() throws {
        try pay("1")
        try pay("2")
        try recordGrant("2", .granted)
        harness.now = harness.now.advanced(by: PurchasesAuditPage.patience)
        #expect(try audit(PurchasesAuditV1()).outstanding.isEmpty)
        harness.now = harness.now.advanced(by: 1)
        let outstanding = try audit(PurchasesAuditV1()).outstanding
        #expect(outstanding.map(\.purchaseId.rawValue) == ["1"])
        #expect(outstanding.map(\.ageMs) == [PurchasesAuditPage.patience + 1])
    }

    @Test func `goes through all of them in pages, and ends where it is told to`() throws {
        for number in 0..<1_001 { try pay("\(10_000 + number)") }
        let first = try audit(PurchasesAuditV1())
        #expect(first.count == 1_000 && first.next?.rawValue == "10999")
        #expect(try audit(PurchasesAuditV1(after: first.next)).count == 1)
        let (start, end) = (PurchaseID(unchecked: "10002"), PurchaseID(unchecked: "10005"))
        let part = try audit(PurchasesAuditV1(after: start, upTo: end))
        #expect(part.count == 3 && part.next == nil)
    }

    @Test func `reads them by the index of their purchases`() throws {
        let id = PurchaseID(unchecked: "1")
        for question in [PurchasesAuditV1(after: id), PurchasesAuditV1(only: [id])] {
            let plan = try harness.database.write {
                try $0.plan(of: PurchaseAuditStore.query, for: question)
            }
            #expect(plan.contains { $0.contains("USING INDEX orders_by_purchase") }, "\(plan)")
            #expect(!plan.contains { $0.contains("SCAN orders") }, "\(plan)")
        }
    }
}
