import Contracts
import Database
import Delivery
import TestKit
import Testing

@testable import Notifications

@Suite struct `copies of webhooks` {
    private static let testHome = Subscribers(apps: [], mayListen: true)

    private let harness = NotificationsHarness(subscribers: testHome)

    private func listen(
        after position: Int64? = nil,
        _ subscribers: Subscribers = testHome,
        in harness: NotificationsHarness? = nil
    ) throws -> RequestOutcome<WebhooksPage> {
        let handler = OnWebhooksListen(subscribers: subscribers)
        return try (harness ?? self.harness).handle(WebhooksListenV1(after: position), handler.callAsFunction)
    }

    private func page(after position: Int64? = nil) throws -> WebhooksPage {
        try #require(try listen(after: position).reply)
    }

    @Test func `are kept from the first question on, also of an app without a server`() throws {
        try harness.tell("1")
        #expect(try harness.rows("SELECT 1 FROM webhook_copy").isEmpty, "nobody has listened")
        #expect(try page() == WebhooksPage(webhooks: [], last: 0))
        try harness.tell("2", id: EventID(unchecked: "second"), traceparent: nil)
        let told = try page(after: 0)
        #expect(told.last == 1 && told.webhooks.map(\.id.rawValue) == ["second"])
        let webhook = try #require(told.webhooks.first)
        #expect(webhook.bundleId == .game && webhook.type == EntitlementChangedV1.type)
        #expect(webhook.body.hasPrefix(#"{"environment":"Production","specversion":"1.0","id":"second""#))
        #expect(try page(after: told.last) == WebhooksPage(webhooks: [], last: 1))
        #expect(try page() == WebhooksPage(webhooks: [], last: 1), "another one begins with what follows")
    }

    @Test func `leave the deliveries to the app's own server as they are`() async throws {
        let both = NotificationsHarness(subscribers: Subscribers(apps: [.game], mayListen: true))
        _ = try listen(in: both)
        for id in ["1", "2"] { try both.tell(id) }
        let before = try both.rows("SELECT * FROM webhook").map(\.values)
        let page = try #require(try listen(after: 0, in: both).reply)
        #expect(page.webhooks.count == 2)
        #expect(try both.rows("SELECT * FROM webhook").map(\.values) == before)
        #expect(try await both.work(status: 200).calls == 2)
        #expect(both.posted.map(\.body) == page.webhooks.map(\.body), "the same is told")
    }

    @Test func `are one a change, however often it is told`() throws {
        _ = try listen()
        for _ in 0..<3 { try harness.tell("1") }
        #expect(try page(after: 0).webhooks.count == 1)
    }

    @Test func `come in pages, and only the newest are kept`() throws {
        _ = try listen()
        let count = Int(WebhookCopyStore.maximumCopies) + 5
        for id in 1...count { try harness.tell("\(id)") }
        let kept = try harness.rows("SELECT MIN(position), COUNT(*) FROM webhook_copy").first?.values
        #expect(kept == [.integer(6), .integer(WebhookCopyStore.maximumCopies)])
        let first = try page(after: 0)
        #expect(first.webhooks.map(\.position) == Array(6..<(6 + Int64(OnWebhooksListen.copiesPerPage))))
        #expect(first.last == first.webhooks.last?.position)
    }

    @Test func `of a store that came back older than the question begin where it ends`() throws {
        _ = try listen()
        try harness.tell("1")
        #expect(try page(after: 900) == WebhooksPage(webhooks: [], last: 1))
    }

    @Test func `are for test homes only`() throws {
        let outcome = try listen([.game])
        #expect(outcome.reply == nil)
        #expect(try harness.rows("SELECT 1 FROM webhook_listening").isEmpty)
        let served = NotificationsHarness()
        try served.tell("1")
        #expect(try served.rows("SELECT 1 FROM webhook_copy").isEmpty)
    }
}
