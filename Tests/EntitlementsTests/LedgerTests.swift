import Contracts
import Database
import Delivery
import Domain
import Foundation
import TestKit
import Testing

@testable import Entitlements

@Suite struct `the ledger` {
    private let harness = EntitlementsHarness()

    @Test func `is read in pages that miss nothing and repeat nothing`() throws {
        for id in 1...7 { try harness.grant(.facts(String(id))) }
        var found: [String] = []
        var after: String?
        var pages = 0
        repeat {
            let page = try #require(harness.ledger(after: after, limit: 3).reply)
            #expect(page.entries.count == (pages < 2 ? 3 : 1))
            found += page.entries.compactMap(\.transactionId?.rawValue)
            after = page.next
            pages += 1
        } while after != nil
        #expect(found == (1...7).map(String.init))
        #expect(pages == 3)
    }

    @Test func `ends without a next page when the last one is full`() throws {
        for id in 1...4 { try harness.grant(.facts(String(id))) }
        #expect(try #require(harness.ledger(limit: 4).reply).next == nil)
        #expect(try #require(harness.ledger(limit: 3).reply).next != nil)
    }

    @Test(arguments: ["", "7", "x-y", "1-0000", "-1-aa", "99-00"])
    func `refuses to go on after an entry that it does not have`(after: String) throws {
        try harness.grant()
        let refusal = try harness.ledger(after: after).refusal
        #expect(refusal?.code == .invalid && refusal?.field == "after")
    }

    @Test(arguments: [0, -1, 1_001]) func `refuses pages that are too small or too large`(limit: Int) throws {
        let refusal = try harness.ledger(limit: limit).refusal
        #expect(refusal?.code == .invalid && refusal?.field == "limit")
    }

    @Test func `shows one environment, or all`() throws {
        try harness.grant(.facts("1", environment: .sandbox))
        try harness.grant(.facts("2"))
        try harness.grant(.facts("3", environment: .sandbox))
        let sandbox = try #require(harness.ledger(limit: 1, environment: .sandbox).reply)
        #expect(sandbox.entries.map(\.transactionId?.rawValue) == ["1"])
        let rest = try #require(harness.ledger(after: sandbox.next, environment: .sandbox).reply)
        #expect(rest.entries.map(\.transactionId?.rawValue) == ["3"])
        #expect(try harness.entries().count == 3)
    }

    @Test func `shows each line as it was told, and adds up to the balance`() throws {
        var told: [LedgerEntry] = []
        let story: [TransactionFacts] = [
            .facts(signed: 100), .facts(signed: 200, refunded: 40_000), .facts(signed: 300),
            .facts(signed: 400, refunded: 100_000),
        ]
        for facts in story { told += try harness.grant(facts).change?.entries ?? [] }
        let entries = try harness.entries()
        #expect(entries == told)
        #expect(entries.map(\.kind) == [.grant, .reversal, .reinstatement, .reversal])
        #expect(entries.map(\.amount) == [100, 40, 40, 100])
        #expect(try harness.holdings().balances["coins"] == entries.map(\.change).reduce(0, +))
        #expect(Set(entries.map(\.entryId)).count == 4)
    }

    @Test func `moves each amount from one account to another, and says what it takes back`() throws {
        try harness.grant(.facts(product: "bundle", signed: 100))
        try harness.grant(.facts(product: "bundle", signed: 200, refunded: 40_000))
        try harness.grant(.facts(product: "bundle", signed: 300))
        let entries = try harness.entries()
        let (apple, ada) = (LedgerAccount.apple(ProductID(unchecked: "bundle")), LedgerAccount.buyer(.ada))
        #expect(entries.map(\.kind) == [.grant, .grant, .reversal, .reinstatement])
        #expect(entries.map(\.from) == [apple, apple, ada, apple])
        #expect(entries.map(\.to) == [ada, ada, apple, ada])
        let coins = entries.filter { $0.entitlement == "coins" }
        #expect(coins.map(\.undoes) == [nil, coins[0].entryId, coins[1].entryId])
        #expect(entries.allSatisfy { $0.productId?.rawValue == "bundle" && $0.reference == "studio-17" })
    }

    @Test func `carries with a grant what was paid, as it was when it was granted`() throws {
        var paid = TransactionFacts.facts(signed: 100)
        (paid.price, paid.currency, paid.storefront) = (1_990, "EUR", "DEU")
        try harness.grant(paid)
        try harness.grant(.facts(signed: 200, refunded: 40_000))
        let entries = try harness.entries()
        #expect(entries.map(\.price) == [1_990, nil])
        #expect(entries.map(\.currency) == ["EUR", nil] && entries.map(\.storefront) == ["DEU", nil])
        #expect(entries.map(\.catalogVersion) == [harness.catalog.version, nil])
        #expect(try harness.changesAgain().flatMap(\.data.entries) == entries)
    }

    private static let columns = """
        kind, entitlement, amount, from_account, to_account, undoes, purchase_id, transaction_id, price, currency,
        storefront, metadata, environment, time, event_id, event_type, causation_id
        """

    /// Copies the only entry under another id, with other values in some columns.
    private func forge(_ changes: [String: String]) throws {
        let columns = Self.columns.split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let values = columns.map { changes[$0] ?? $0 }.joined(separator: ", ")
        try harness.execute(
            """
            INSERT INTO ledger (bundle_id, buyer_id, number, entry_id, \(raw: Self.columns))
            SELECT bundle_id, buyer_id, 2, 'other', \(raw: values) FROM ledger
            """
        )
    }

    @Test(arguments: [
        ("ledger_grants_once", [:]),
        ("ledger_moves_something", ["amount": "0", "purchase_id": "'2'"]),
        ("ledger_one_account_is_the_buyers", ["from_account": "'buyer'", "purchase_id": "'2'"]),
        ("ledger_one_account_is_the_buyers", ["to_account": "'apple:x'", "purchase_id": "'2'"]),
        (
            "ledger_direction_of_kind",
            ["from_account": "'buyer'", "to_account": "from_account", "purchase_id": "'2'"]
        ),
        ("ledger_known_kind", ["kind": "'gift'"]),
        ("ledger_purchase_of_kind", ["purchase_id": "NULL"]),
        ("ledger_purchase_of_kind", ["kind": "'credit'"]),
        ("ledger_undoes_of_kind", ["kind": "'reinstatement'"]),
        ("ledger_undoes_of_kind", ["purchase_id": "'2'", "undoes": "entry_id"]),
        ("ledger_direction_of_kind", ["kind": "'compensationReversal'", "undoes": "entry_id"]),
        ("ledger_purchase_of_kind", ["kind": "'compensation'", "purchase_id": "NULL"]),
    ])
    func `cannot hold an entry that breaks its laws, whatever the program does`(
        law: String,
        changes: [String: String]
    ) throws {
        try harness.grant()
        do {
            try forge(changes)
            Issue.record("the store took it")
        } catch StoreError.constraint(let text) {
            let isGrant = law == "ledger_grants_once" && text.contains("ledger.purchase_id")
            #expect(text.contains(law) || isGrant, "\(text)")
        }
    }

    @Test func `takes an entry that keeps them`() throws {
        try harness.grant()
        try forge(["purchase_id": "'2'"])
        #expect(try harness.rows("SELECT 1 FROM ledger").count == 2)
    }

    @Test func `is never updated or deleted by a statement of this service`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: "Services/Entitlements")
        let files = try #require(FileManager.default.enumerator(atPath: folder.path()))
        let sources = files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
        #expect(sources.count > 5)
        for source in sources {
            let text = try String(contentsOf: folder.appending(path: source), encoding: .utf8)
            #expect(!text.contains("UPDATE ledger") && !text.contains("DELETE FROM ledger"), "\(source)")
        }
    }
}

@Suite struct `the service Entitlements` {
    private let harness = EntitlementsHarness()

    @Test func `traces a transaction to its order and receipt`() throws {
        try harness.grant(.facts(signed: 100))
        harness.now = harness.now.advanced(by: 5)
        try harness.grant(.facts(signed: 200, refunded: 100_000), submitted: false)
        let trace = try harness.trace("1000", "unknown")
        #expect(trace.entries.map(\.type) == Array(repeating: "counterfoil.purchase.reported.v1", count: 2))
        #expect(trace.entries.map(\.causationid) == ["cause", "cause"])
        #expect(trace.entries.map(\.time) == [harness.now.advanced(by: -5), harness.now])
        let (order, receipt) = (OrderTerms.studio.orderId, Submission.submission().receiptId)
        #expect(trace.related == ["1000", order.rawValue, receipt.rawValue])
    }

    @Test func `sends again what each partition is to know, and only that`() throws {
        let first = try #require(try harness.grant(.facts(signed: 100)).change)
        let second = try #require(try harness.grant(.facts(signed: 200, refunded: 100_000)).change)
        let here = PartitionKey.buyer(.ada, of: .game).shard.partition(of: harness.partitions)
        let page = try harness.redrive(to: PartitionAddress(.notifications, here))
        #expect(page == RedrivePage(rows: 1, next: []))
        let changes = try harness.sent.bodies(EntitlementChangedV1.self)
        #expect(changes.map(\.entries) == [first.entries, second.entries, []])
        #expect(changes.map(\.submission) == [nil, nil, Submission.submission()])
        #expect(changes.last?.verdict == .ended)

        try harness.redrive(to: PartitionAddress(.notifications, (here + 1) % 4))
        #expect(harness.sent.isEmpty)
        let orders = OrderTerms.studio.orderId.shard.partition(of: harness.partitions)
        try harness.redrive(to: PartitionAddress(.orders, orders))
        #expect(try harness.only(GrantRecordedV1.self).outcome == .reversed)
    }

    @Test func `has something to say again to every service to which it has a link`() throws {
        let ledger = ForfeitHarness()
        try ledger.harness.grant(.facts("1001"))
        try ledger.harness.grant(ForfeitHarness.hall)
        try ledger.take()
        for target in try #require(LinkKind.all[.entitlements]).keys {
            #expect(try !ledger.harness.redriven(to: target).isEmpty, "\(target)")
        }
    }

    @Test func `offers what the catalog of the home says`() throws {
        harness.sell("coins", [.init(entitlement: "c", amount: 2)])
        let other = [Catalog.Grant(entitlement: "o", amount: 1)]
        harness.sell("old", other, retired: .replacement(ProductID(unchecked: "coins")))
        harness.sell("gone", other, retired: .undecided)
        func obligation(_ product: String) -> Obligation {
            let offer = harness.catalog.lookup(bundleID: .game, productID: ProductID(unchecked: product))
            return Obligation(.facts(), offer: offer)
        }
        #expect(obligation("coins") == .owed([Goods(entitlement: "c", amount: 2)]))
        #expect(obligation("old") == .owed([Goods(entitlement: "c", amount: 2)]))
        #expect(obligation("gone") == .withheld(.retiredProduct))
        #expect(obligation("none") == .withheld(.unknownProduct))
    }

    @Test func `keeps with a grant a document that is written and read directly`() throws {
        var order = OrderTerms.studio
        order.late = true
        let document = GrantDocument(
            goods: [
                Goods(
                    entitlement: "coins",
                    amount: 120,
                    durationDays: 30,
                    taken: 20,
                    cameBy: 2,
                    forfeited: 100,
                    compensated: 40
                ),
                Goods(entitlement: "castle"),
            ],
            grantedAt: Timestamp(milliseconds: 5),
            order: order,
            transaction: .facts(),
            submittedAs: TransactionID(unchecked: "2"),
            namesNoOrder: true,
            holderStatus: HolderStatus(
                first: 1,
                last: 2,
                leftTo: .eve,
                forfeited: .evidence,
                order: order.orderId
            )
        )
        #expect(try faultOfDirectForm(of: document) == nil)
        #expect(try faultOfDirectForm(of: document.goods[0]) == nil)
        #expect(try faultOfDirectForm(of: #require(document.holderStatus)) == nil)
    }
}
