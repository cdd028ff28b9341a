import Contracts
import Database
import Delivery
import Domain
import Foundation
import TestKit
import Testing

@testable import Entitlements

@Suite struct `the ledger` {
    private typealias Harness = EntitlementsHarness

    private let harness: Harness

    init() throws { harness = try Harness() }

    @Test func `is read in pages that miss nothing and repeat nothing`() throws {
        for id in 1...7 { try harness.grant(.facts(String(id))) }
        var found: [String] = []
        var after: String?
        var pages = 0
        repeat {
            let page = try #require(harness.ledger(after: after, limit: 3).reply)
            #expect(page.entries.count == (pages < 2 ? 3 : 1))
            found += page.entries.map(\.transactionId.rawValue)
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
        #expect(sandbox.entries.map(\.transactionId.rawValue) == ["1"])
        let rest = try #require(harness.ledger(after: sandbox.next, environment: .sandbox).reply)
        #expect(rest.entries.map(\.transactionId.rawValue) == ["3"])
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
        #expect(entries.map(\.amount) == [100, -40, 40, -100])
        #expect(try harness.holdings().balances["coins"] == entries.map(\.amount).reduce(0, +))
        #expect(Set(entries.map(\.entryId)).count == 4)
    }

    @Test func `cannot hold a second grant of one purchase, whatever the program does`() throws {
        try harness.grant()
        #expect(throws: StoreError.self) {
            try harness.database.write { connection in
                try connection.execute(
                    """
                    INSERT INTO ledger SELECT bundle_id, buyer_id, 2, 'other', kind, entitlement, amount,
                      purchase_id, 'other', environment, time, event_id, causation_id FROM ledger
                    """
                )
            }
        }
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
    private typealias Harness = EntitlementsHarness

    @Test func `traces a transaction to its order and receipt`() throws {
        let harness = try Harness()
        try harness.grant(.facts(signed: 100))
        harness.now = harness.now.advanced(by: 5)
        try harness.grant(.facts(signed: 200, refunded: 100_000), submitted: false)
        let trace = try harness.trace("1000", "unknown")
        #expect(trace.entries.map(\.type) == Array(repeating: "counterfoil.grant.requested.v1", count: 2))
        #expect(trace.entries.map(\.causationid) == ["cause", "cause"])
        #expect(trace.entries.map(\.time) == [harness.now.advanced(by: -5), harness.now])
        #expect(
            trace.related == [
                "1000", OrderTerms.studio.orderId.rawValue, Submission.submission().receiptId.rawValue,
            ]
        )
    }

    @Test func `sends again what each partition is to know, and only that`() throws {
        let harness = try Harness()
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
        #expect(try harness.only(GrantSettledV1.self).outcome == .reversed)
    }

    @Test func `offers what the catalog of the home says`() throws {
        let harness = try Harness()
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
            goods: [Goods(entitlement: "coins", amount: 120), Goods(entitlement: "castle")],
            grantedAt: Timestamp(milliseconds: 5),
            order: order,
            transaction: .facts(),
            submittedAs: TransactionID(unchecked: "2")
        )
        #expect(try faultOfDirectForm(of: document) == nil)
        #expect(try faultOfDirectForm(of: document.goods[0]) == nil)
    }
}
