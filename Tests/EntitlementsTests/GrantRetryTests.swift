import Contracts
import Domain
import TestKit
import Testing

@testable import Entitlements

@Suite struct `a retry of parked grants` {
    private let harness = EntitlementsHarness()

    private func retry(_ scope: RetryScope = RetryScope(), after: [String]? = nil) throws -> RetryPage {
        try #require(harness.retry(scope, after: after).reply)
    }

    /// Brings the product that the catalog did not know.
    private func bringProduct() { harness.sell("never.heard", [.coins(5)]) }

    @Test func `grants what the catalog has come to know, once, and tells phone, game and order`() throws {
        try harness.grant(.facts(product: "never.heard"))
        bringProduct()
        harness.now = harness.now.advanced(by: 60_000)
        let page = try retry()
        let item = try #require(page.items.first)
        #expect(item.kind == .grant && item.id == "1000" && item.buyerId == BuyerID.ada)
        #expect(item.before == RetryPage.ItemStatus("parked", reason: "unknownProduct"))
        #expect(item.after == RetryPage.ItemStatus("granted"))
        #expect(page.items.count == 1 && page.next == nil)

        let change = try harness.only(EntitlementChangedV1.self)
        #expect(change.verdict == .granted && change.grantedAt == harness.now)
        #expect(change.submission?.receiptId == Submission.submission().receiptId)
        #expect(change.entries.map(\.amount) == [5])
        #expect(change.order == OrderTerms.studio)
        #expect(try harness.only(GrantRecordedV1.self).outcome == .granted)
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
        harness.sell("never.heard", [.coins(5)], retired: .undecided)
        let page = try retry()
        #expect(page.items.map(\.after) == [RetryPage.ItemStatus("parked", reason: "retiredProduct")])
        let change = try harness.only(EntitlementChangedV1.self)
        #expect(change.verdict == .parked && change.reason == "retiredProduct" && change.entries.isEmpty)
    }

    @Test func `judges what was named, and nothing else`() throws {
        try harness.grant(.facts("1", product: "never.heard"))
        try harness.grant(.facts("2", product: "old.undecided"))
        try harness.grant(.facts("3", product: "never.heard"), to: .eve, submitted: false)
        func found(_ scope: RetryScope) throws -> [String] { try retry(scope).items.map(\.id) }
        #expect(try found(RetryScope()) == ["1", "2", "3"])
        #expect(try found(RetryScope(productId: ProductID(unchecked: "never.heard"))) == ["1", "3"])
        #expect(try found(RetryScope(buyerId: .eve)) == ["3"])
        #expect(try found(RetryScope(receiptId: Submission.submission().receiptId)) == ["1", "2"])
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
        #expect(try harness.retry(after: ["1"]).refusal?.field == "after")
    }

    @Test func `stands in the story of the grant under its own name`() throws {
        try harness.grant(.facts(product: "never.heard"))
        bringProduct()
        let request = try harness.lastRequest()
        // An operator's request has no cause.
        let message = harness.event(GrantRetryV1(), id: EventID(unchecked: "by-hand"), cause: nil)
        _ = try harness.transact(cause: message.id) { context in
            try OnGrantRetry(catalog: harness.catalog)(message, in: context)
        }
        #expect(harness.recorded == ["1000: \(request)"])
        let trace = try harness.trace("1000")
        #expect(trace.entries.map(\.type) == [GrantRetryV1.type.rawValue])
        #expect(trace.entries.map(\.id) == ["by-hand"])
    }
}
