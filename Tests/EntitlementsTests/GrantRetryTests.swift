import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

@Suite struct `a retry of parked grants` {
    private typealias Harness = EntitlementsHarness

    private let harness: Harness

    init() throws { harness = try Harness() }

    private func retry(_ scope: RetryScope = RetryScope(), after: [String]? = nil) throws -> RetryPage {
        let request = GrantRetryV1(scope: scope, after: after)
        return try harness.reply(
            harness.handle(request, OnGrantRetry(catalog: harness.catalog).callAsFunction)
        )
    }

    /// Brings the product that the catalog did not know.
    private func bringProduct() { harness.sell("never.heard", [.init(entitlement: "coins", amount: 5)]) }

    @Test func `grants what the catalog has come to know, once, and tells phone, game and order`() throws {
        try harness.grant(.facts(product: "never.heard"))
        bringProduct()
        harness.now = harness.now.advanced(by: 60_000)
        let page = try retry()
        let item = try #require(page.items.first)
        #expect(item.kind == .grant && item.id == "1000" && item.buyerId == Harness.buyer)
        #expect(item.before == RetryPage.ItemStatus("parked", reason: "unknownProduct"))
        #expect(item.after == RetryPage.ItemStatus("granted"))
        #expect(page.items.count == 1 && page.next == nil)

        let change = try #require(try harness.events(EntitlementChangedV1.self).first).data
        #expect(change.verdict == .granted && change.grantedAt == harness.now)
        #expect(change.submission?.receiptId == Harness.submission.receiptId)
        #expect(change.entries.map(\.amount) == [5])
        #expect(change.order == Harness.order)
        #expect(try harness.events(GrantSettledV1.self).map(\.data.outcome) == [.granted])
        #expect(try harness.holdings().balances == ["coins": 5])

        let before = try harness.contents()
        #expect(try retry() == RetryPage([]))
        #expect(harness.sent.isEmpty)
        #expect(try harness.contents() == before)
    }

    @Test func `leaves what nobody can grant as it is, without a trace`() throws {
        try harness.grant(.facts(product: "never.heard"))
        let before = try harness.contents()
        let page = try retry()
        #expect(page.items.map(\.after) == page.items.map(\.before))
        #expect(page.items.count == 1)
        #expect(harness.sent.isEmpty && harness.recorded.isEmpty)
        #expect(try harness.contents() == before)
    }

    @Test func `tells when something is parked for another reason now`() throws {
        try harness.grant(.facts(product: "never.heard"))
        harness.sell("never.heard", [.init(entitlement: "coins", amount: 5)], retired: .undecided)
        let page = try retry()
        #expect(page.items.map(\.after) == [RetryPage.ItemStatus("parked", reason: "retiredProduct")])
        let change = try #require(try harness.events(EntitlementChangedV1.self).first).data
        #expect(change.verdict == .parked && change.reason == "retiredProduct" && change.entries.isEmpty)
    }

    @Test func `judges what was named, and nothing else`() throws {
        try harness.grant(.facts("1", product: "never.heard"))
        try harness.grant(.facts("2", product: "old.undecided"))
        try harness.grant(
            .facts("3", product: "never.heard"),
            to: BuyerID(unchecked: "eve"),
            submitted: false
        )
        func found(_ scope: RetryScope) throws -> [String] { try retry(scope).items.map(\.id) }
        #expect(try found(RetryScope()) == ["1", "2", "3"])
        #expect(try found(RetryScope(productId: ProductID(unchecked: "never.heard"))) == ["1", "3"])
        #expect(try found(RetryScope(buyerId: BuyerID(unchecked: "eve"))) == ["3"])
        #expect(try found(RetryScope(receiptId: Harness.submission.receiptId)) == ["1", "2"])
    }

    @Test func `goes through all of them page by page`() throws {
        for number in 0...OnGrantRetry.maximumPerRequest {
            try harness.grant(.facts(String(2_000 + number), product: "never.heard"))
        }
        bringProduct()
        let first = try retry()
        #expect(first.items.count == OnGrantRetry.maximumPerRequest)
        let next: [String] = try #require(first.next)
        let second = try retry(after: next)
        #expect(second.items.map(\.id) == ["2100"] && second.next == nil)
        #expect(try harness.holdings().balances == ["coins": 505])
    }

    @Test func `that names a page which cannot be is refused`() throws {
        let request = GrantRetryV1(after: ["1"])
        let outcome = try harness.handle(request, OnGrantRetry(catalog: harness.catalog).callAsFunction)
        #expect(harness.refusal(outcome)?.field == "after")
    }

    @Test func `stands in the story of the grant under its own name`() throws {
        try harness.grant(.facts(product: "never.heard"))
        bringProduct()
        let rows = try harness.database.write { try $0.rows("SELECT event_id FROM grants") }
        let request = try #require(rows.first)[0] as String
        // An operator's request has no cause.
        let message = Event(
            id: EventID(unchecked: "by-hand"),
            source: "/operator",
            time: harness.now,
            subject: "-",
            data: GrantRetryV1()
        )
        _ = try harness.transact(cause: message.id) { context in
            try OnGrantRetry(catalog: harness.catalog)(message, in: &context)
        }
        #expect(harness.recorded == ["1000: \(request)"])
        let service = EntitlementsService(catalog: harness.catalog)
        let trace = try harness.database.write { try service.trace(["1000"], in: $0) }
        #expect(trace.entries.map(\.type) == [GrantRetryV1.type.rawValue])
        #expect(trace.entries.map(\.id) == ["by-hand"])
    }
}
