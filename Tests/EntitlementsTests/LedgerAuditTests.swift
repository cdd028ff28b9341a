import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Entitlements

/// A ledger with purchases, refunds, spends and credits, and what a store that lies about it says.
@Suite struct `an audit` {
    private let harness: EntitlementsHarness

    init() throws {
        harness = try EntitlementsHarness()
        try harness.grant(.facts("1", product: "bundle", signed: 100))
        try harness.grant(.facts("2", product: "castle", type: "Non-Consumable", signed: 100))
        try harness.grant(
            .facts("2", product: "castle", type: "Non-Consumable", signed: 200, refunded: 100_000)
        )
        try harness.grant(.facts("3", environment: .sandbox, refunded: 100_000))
        try harness.grant(.facts("4", product: "never.heard"))
        try harness.grant(.facts("5"), to: .eve)
        let spend = try #require(harness.spend(20).reply)
        _ = try harness.credit(5)
        _ = try harness.reverse(spend.entryId)
    }

    /// All pages of a part.
    private func audit(_ part: LedgerAuditV1.Part) throws -> LedgerAuditPage {
        var (whole, question) = (LedgerAuditPage(count: 0, differences: []), LedgerAuditV1(part))
        repeat {
            let page = try #require(harness.handle(question, OnLedgerAudit().callAsFunction).reply)
            whole.count += page.count
            whole.differences += page.differences
            question.after = page.next
        } while question.after != nil
        return whole
    }

    /// The laws that do not hold after a change that no handler makes.
    private func laws(after sql: String) throws -> [LedgerAuditPage.Difference.Law] {
        try harness.database.write { connection in
            _ = try connection.execute("PRAGMA ignore_check_constraints = ON", [])
            #expect(try connection.execute(sql, []) > 0)
        }
        return try LedgerAuditV1.Part.allCases.flatMap { try audit($0).differences.map(\.law) }
    }

    @Test func `finds nothing in a ledger that holds`() throws {
        #expect(try audit(.balances) == LedgerAuditPage(count: 8, differences: []))
        #expect(try audit(.grants) == LedgerAuditPage(count: 5, differences: []))
    }

    @Test(
        arguments: [
            ("UPDATE balance SET amount = amount + 1 WHERE buyer_id = 'eve'", .balanceIsSum),
            ("DELETE FROM balance WHERE buyer_id = 'eve'", .balanceIsSum),
            ("UPDATE balance SET buyer_id = 'nobody', amount = 1 WHERE buyer_id = 'eve'", .balanceIsSum),
            ("DELETE FROM possession", .balanceIsSum),
            ("DELETE FROM ledger WHERE kind = 'credit'", .balanceIsSum),
            ("UPDATE ledger SET to_account = from_account WHERE kind = 'credit'", .entryHasTwoAccounts),
            ("UPDATE ledger SET amount = 0 WHERE kind = 'credit'", .entryHasTwoAccounts),
            ("DELETE FROM grants WHERE purchase_id = '5'", .entryHasPurchase),
            ("UPDATE grants SET buyer_id = 'nobody' WHERE purchase_id = '5'", .entryHasPurchase),
            ("DELETE FROM ledger WHERE purchase_id = '5'", .purchaseIsGrantedOnce),
            ("UPDATE grants SET state = 'tombstone' WHERE purchase_id = '5'", .purchaseIsGrantedOnce),
        ] as [(String, LedgerAuditPage.Difference.Law)]
    )
    func `names what does not hold`(sql: String, law: LedgerAuditPage.Difference.Law) throws {
        #expect(try laws(after: sql).contains(law))
    }

    @Test func `says whose balance it is, what it should be and what it is`() throws {
        try harness.database.write {
            _ = try $0.execute("UPDATE balance SET amount = 7 WHERE buyer_id = 'eve'", [])
        }
        let difference = LedgerAuditPage.Difference(
            .balanceIsSum,
            bundleId: .game,
            buyerId: .eve,
            environment: .production,
            entitlement: "coins",
            expected: 100,
            found: 7
        )
        #expect(try audit(.balances).differences == [difference])
    }

    @Test func `goes through all buyers and purchases in pages`() throws {
        for number in 0..<600 {
            try harness.grant(.facts("9\(number)"), to: BuyerID(unchecked: "buyer-\(number)"))
        }
        #expect(try audit(.balances) == LedgerAuditPage(count: 608, differences: []))
        #expect(try audit(.grants) == LedgerAuditPage(count: 605, differences: []))
    }

    @Test func `counts the grants of a page by index, however long the ledger is`() throws {
        let query = LedgerAuditStore.grantsQuery(from: ["1", "", ""], to: ["2", "", ""])
        let plan = try harness.database.write { connection in
            try connection.rows("EXPLAIN QUERY PLAN \(query)")
        }
        #expect(plan.count == 1)
        #expect(try (plan[0][3] as String).contains("USING INDEX ledger_grants_once"))
    }

    @Test func `refuses a page that begins nowhere`() throws {
        for part in LedgerAuditV1.Part.allCases {
            let question = LedgerAuditV1(part, after: ["x"])
            #expect(try harness.handle(question, OnLedgerAudit().callAsFunction).refusal?.field == "after")
        }
    }
}
