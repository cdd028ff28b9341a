import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// A ledger with purchases, refunds, spends and credits, and what a store that lies about it says.
@Suite struct `an audit` {
    private let harness = EntitlementsHarness()

    init() throws {
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

    /// A period of a subscription that is granted, and what Apple says of the next one.
    private func subscribe() throws {
        let period = TransactionFacts.facts("7", product: "month", type: "Auto-Renewable Subscription")
            .with(\.expiresDate, Timestamp(milliseconds: 2_000_000_000_000))
        try harness.grant(period)
        let renewal = RenewalFacts(signedDate: period.signedDate, autoRenewStatus: 1)
        try harness.update(period.originalTransactionId, renewal: renewal)
    }

    /// The buyers' ledgers, page by page.
    private func ledgers() throws -> LedgerAuditPage {
        var (whole, question) = (LedgerAuditPage(count: 0, differences: []), LedgerAuditV1())
        repeat {
            let handler = OnLedgerAudit(catalog: harness.catalog)
            let page = try #require(harness.handle(question, handler.callAsFunction).reply)
            whole.count += page.count
            whole.differences += page.differences
            question.after = page.next
        } while question.after != nil
        return whole
    }

    /// The grants, page by page.
    private func grants() throws -> [PurchasesAuditPage] {
        var (pages, question) = ([PurchasesAuditPage](), PurchasesAuditV1())
        repeat {
            pages.append(try #require(harness.handle(question, OnPurchasesAudit().callAsFunction).reply))
            question.after = pages.last?.next
        } while question.after != nil
        return pages
    }

    /// Makes a change that no handler makes.
    private func change(_ sql: String) throws {
        try harness.database.write { connection in
            _ = try connection.execute("PRAGMA ignore_check_constraints = ON", [])
            let changed = try connection.execute(sql, [])
            #expect(changed > 0)
        }
    }

    /// The laws that do not hold after a change.
    private func laws(after sql: String) throws -> [LedgerAuditPage.Difference.Law] {
        try change(sql)
        return try ledgers().differences.map(\.law) + grants().flatMap(\.differences).map(\.law)
    }

    /// The steps of a query's plan.
    private func plan(_ query: SQL) throws -> [String] {
        try harness.database.write { try $0.plan(of: query) }
    }

    @Test func `finds nothing in a ledger that holds`() throws {
        try subscribe()
        #expect(try ledgers() == LedgerAuditPage(count: 9, differences: []))
        #expect(try grants().map(\.count) == [6])
        #expect(try grants().allSatisfy { $0.differences.isEmpty })
        #expect(try harness.holdsByNumbers())
    }

    @Test(arguments: [
        ("DELETE FROM possession", LedgerAuditPage.Difference.Law.balanceIsSum),
        ("DELETE FROM balance WHERE buyer_id = 'eve'", .balanceIsSum),
        ("UPDATE balance SET buyer_id = 'nobody', amount = 1 WHERE buyer_id = 'eve'", .balanceIsSum),
        ("UPDATE balance SET amount = amount + 1 WHERE buyer_id = 'eve'", .balanceIsSum),
        ("DELETE FROM ledger WHERE kind = 'credit'", .balanceIsSum),
        ("UPDATE ledger SET to_account = from_account WHERE kind = 'credit'", .entryHasTwoAccounts),
        ("UPDATE ledger SET amount = 0 WHERE kind = 'credit'", .entryHasTwoAccounts),
        ("DELETE FROM grants WHERE purchase_id = '5'", .entryHasPurchase),
        ("UPDATE grants SET buyer_id = 'nobody' WHERE purchase_id = '5'", .entryHasPurchase),
        ("DELETE FROM grants WHERE purchase_id = '2'", .entryHasPurchase),
        ("DELETE FROM ledger WHERE purchase_id = '5'", .purchaseIsGrantedOnce),
        ("UPDATE ledger SET buyer_id = 'nobody' WHERE purchase_id = '5'", .entryHasPurchase),
        ("UPDATE ledger SET purchase_id = '6' WHERE purchase_id = '5'", .entryHasPurchase),
        ("UPDATE grants SET state = 'tombstone' WHERE purchase_id = '5'", .purchaseIsGrantedOnce),
        ("UPDATE balance SET amount = -1 WHERE buyer_id = 'eve'", .balanceKeepsRule),
        ("UPDATE possession SET purchase_id = '5'", .possessionHasGrant),
        ("UPDATE grants SET state = 'reversed' WHERE purchase_id = '1'", .possessionHasGrant),
    ])
    func `names what does not hold`(sql: String, law: LedgerAuditPage.Difference.Law) throws {
        #expect(try laws(after: sql).contains(law))
    }

    @Test(arguments: [
        ("UPDATE subscription SET access = NULL", LedgerAuditPage.Difference.Law.accessHasFacts),
        ("UPDATE subscription SET access = replace(access, '20000000', '20000001')", .accessHasFacts),
        ("UPDATE subscription SET buyer_id = 'eve'", .accessHasFacts),
        ("UPDATE period SET document = replace(document, '20000000', '20000001')", .accessHasFacts),
        ("DELETE FROM period", .accessHasFacts),
        ("DELETE FROM period", .possessionHasGrant),
        ("DELETE FROM subscription", .accessHasFacts),
        ("DELETE FROM grants WHERE purchase_id = '7'", .accessHasFacts),
    ])
    func `names access without a fact that gives it`(
        sql: String,
        law: LedgerAuditPage.Difference.Law
    ) throws {
        try subscribe()
        #expect(try laws(after: sql).contains(law))
    }

    @Test func `names a purchase that two buyers were granted, each with an entry`() throws {
        try change("UPDATE grants SET purchase_id = '5' WHERE purchase_id = '2'")
        try change("UPDATE ledger SET purchase_id = '5' WHERE purchase_id = '2' AND kind = 'grant'")
        #expect(try !harness.holdsByNumbers())
        #expect(try grants().flatMap(\.differences).map(\.law).contains(.entryHasPurchase))
    }

    @Test func `says whose balance it is, what it should be and what it is`() throws {
        try harness.execute("UPDATE balance SET amount = 7 WHERE buyer_id = 'eve'")
        let difference = LedgerAuditPage.Difference(
            .balanceIsSum,
            bundleId: .game,
            buyerId: .eve,
            environment: .production,
            entitlement: "coins",
            expected: 100,
            found: 7
        )
        #expect(try ledgers().differences == [difference])
    }

    @Test func `lets a refund of what was spent take a balance below zero, unless it has a floor`() throws {
        try harness.grant(.facts("8", product: "coins.100", signed: 100))
        _ = try harness.spend(130, key: "spent")
        try harness.grant(.facts("8", product: "coins.100", signed: 200, refunded: 100_000))
        try harness.grant(.facts("1", product: "bundle", signed: 200, refunded: 100_000))
        #expect(try harness.holdings().balances["coins"] == -125)
        #expect(try ledgers().differences.isEmpty)
        harness.rule("coins", .floor)
        #expect(try ledgers().differences.map(\.law) == [.balanceKeepsRule])
    }

    @Test func `goes through all buyers and purchases in pages`() throws {
        for number in 0..<1_100 {
            try harness.grant(.facts("9\(number)"), to: BuyerID(unchecked: "buyer-\(number)"))
        }
        #expect(try ledgers() == LedgerAuditPage(count: 1_108, differences: []))
        let pages = try grants()
        #expect(pages.map(\.count) == [1_000, 105])
        #expect(pages.allSatisfy { $0.differences.isEmpty })
    }

    @Test func `ends a page behind all grants of its last purchase`() throws {
        for number in 1_000..<2_000 { try harness.grant(.facts("x\(number)")) }
        try harness.grant(.facts("x1994", environment: .sandbox))
        let pages = try grants()
        #expect(pages.map(\.count) == [1_001, 5])
        #expect(pages.first?.next?.rawValue == "x1994")
        #expect(pages.allSatisfy { $0.differences.isEmpty })
    }

    @Test func `looks at the same buyers again, and no others`() throws {
        let app = BundleID.game.rawValue
        let page = LedgerAuditV1(after: [app, "ada"], upTo: [app, "eve"])
        let handler = OnLedgerAudit(catalog: harness.catalog)
        #expect(try harness.handle(page, handler.callAsFunction).reply?.count == 1)
    }

    @Test func `lists each purchase with its buyer, its order and what became of it`() throws {
        let only = PurchasesAuditV1(only: ["3", "4", "5", "none"].map { PurchaseID(unchecked: $0) })
        let page = try #require(harness.handle(only, OnPurchasesAudit().callAsFunction).reply)
        #expect(page.differences.isEmpty)
        let purchases = try #require(page.purchases)
        #expect(purchases.map(\.outcome) == [.reversed, .parked, .granted])
        #expect(purchases.map(\.buyerId) == [.ada, .ada, .eve])
        #expect(purchases.allSatisfy { $0.orderId == OrderTerms.studio.orderId })
    }

    @Test func `reads every table by its index, however long it is`() throws {
        let id = PurchaseID(unchecked: "9")
        for question in [PurchasesAuditV1(upTo: id), PurchasesAuditV1(only: [id])] {
            let grants = try harness.database.write {
                try $0.plan(of: PurchaseAuditStore.grantsQuery, for: question)
            }
            let own = grants.filter { $0.contains(" grants ") }
            #expect(own.allSatisfy { $0.hasPrefix("SEARCH grants USING INDEX") }, "\(grants)")
            #expect(!grants.contains { $0.contains("TEMP B-TREE") }, "\(grants)")
            let given = grants.filter { $0.contains(" ledger ") }
            let isCovered = given.allSatisfy { $0.contains("COVERING INDEX ledger_grants_once") }
            #expect(!given.isEmpty && isCovered, "\(grants)")
        }
        let some: SQL = "purchase_id > \("1")"
        let entries = try plan(PurchaseAuditStore.entriesQuery(some))
        for steps in [entries, try plan(PurchaseAuditStore.givenQuery(some))] {
            #expect(steps.count == 1 && steps[0].contains("COVERING INDEX ledger_grants_once"), "\(steps)")
        }
        let buyers = LedgerAuditStore.Buyers(after: ["a", "b"], upTo: ["a", "c"])
        for query in [
            LedgerAuditStore.entriesQuery(buyers), LedgerAuditStore.strangePossessionsQuery(buyers),
        ] {
            let steps = try plan(query)
            #expect(steps.allSatisfy { !$0.contains("SCAN") }, "\(steps)")
        }
    }

    @Test func `finds the entries of a purchase without its buyer's others`() throws {
        let record = try #require(
            try harness.database.write {
                try GrantStore(connection: $0).records(of: .facts("2", product: "castle")).first
            }
        )
        for query in [
            LedgerStore.linesQuery(record),
            LedgerStore.lastQuery([.reversal, .transferOut], "castle", of: record),
        ] {
            let steps = try plan(query)
            #expect(steps.contains { $0.contains("INDEX ledger_changes") }, "\(steps)")
            let others = steps.filter { $0.contains("SCAN ledger") || $0.contains("PRIMARY KEY") }
            #expect(others.isEmpty)
        }
        let lines = try plan(LedgerStore.linesQuery(record))
        #expect(lines.contains { $0.contains("INDEX ledger_grants_once") })
    }

    @Test func `refuses a page that begins or ends nowhere, and too many purchases`() throws {
        let handler = OnLedgerAudit(catalog: harness.catalog)
        let start = LedgerAuditV1(after: ["x"])
        #expect(try harness.handle(start, handler.callAsFunction).refusal?.field == "after")
        let end = LedgerAuditV1(upTo: ["x"])
        #expect(try harness.handle(end, handler.callAsFunction).refusal?.field == "upTo")
        let ids = (0...PurchasesAuditV1.maximumIds).map { PurchaseID(unchecked: "\($0)") }
        let many = try harness.handle(PurchasesAuditV1(only: ids), OnPurchasesAudit().callAsFunction)
        #expect(many.refusal?.field == "purchaseIds")
    }
}
