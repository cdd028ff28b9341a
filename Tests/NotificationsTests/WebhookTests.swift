import Contracts
import Database
import Delivery
import Foundation
import Program
import TestKit
import Testing

@testable import Notifications

@Suite struct `webhooks` {
    private static let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    private let harness = NotificationsHarness()

    @Test func `carry the event itself under its own id`() async throws {
        try harness.tell("1")
        #expect(harness.workAt == harness.now)
        let (calls, next) = try await harness.work(status: 200)
        #expect(calls == 1 && next == nil)
        let call = try #require(harness.posted.first)
        let event = try NotificationsHarness.event(call)
        #expect(event.type == "counterfoil.entitlement.changed.v1")
        let start = #"{"environment":"Production","specversion":"1.0","id":"#
        #expect(call.body.hasPrefix(start), "whether money was real stands first")
        let row = try #require(try harness.rows("SELECT event_id, delivered_at, body FROM webhook").first)
        #expect(row.values == [.text(event.id), .integer(harness.now.milliseconds), .text("")])
    }

    /// Hands in that Ada holds an entitlement until a moment, or not at all.
    private func tell(_ id: String, until end: Int64?, to subscriber: BundleID = .game) throws {
        let holding = HoldingChangedV1(
            bundleId: .game,
            buyerId: .ada,
            environment: .sandbox,
            entitlement: "vip",
            held: end != nil,
            expires: end.map(Timestamp.init(milliseconds:)),
            reason: end == nil ? .expired : .granted
        )
        let handler = OnHoldingChanged(subscribers: [subscriber])
        try harness.handle(holding, id: id, handler.callAsFunction)
    }

    @Test func `tell what is held of an entitlement, and nothing twice when all is told again`() async throws
    {
        try tell("1", until: 5)
        for _ in 0..<2 { try tell("2", until: nil) }
        for _ in 0..<2 { try tell("3", until: 5) }
        try tell("other", until: nil, to: .otherApp)
        #expect(try await harness.work(status: 200).calls == 3)
        let bodies = harness.posted.map(\.body)
        #expect(bodies[0].hasPrefix(#"{"environment":"Sandbox","specversion":"1.0","id":"1""#))
        #expect(bodies[0].contains(#""type":"counterfoil.holding.changed.v1""#))
        let said = bodies.map { $0.firstRange(of: #""held":true,"expires":5"#) != nil }
        #expect(said == [true, false, true])
        try tell("3", until: 5)
        #expect(try await harness.work(status: 200).calls == 0, "also when it was delivered")
    }

    @Test func `tell once more what is held, though it is what a restored store has told before it was lost`()
        async throws
    {
        try tell("1", until: 5)
        #expect(try await harness.work(status: 200).calls == 1)
        // The server was told of "2", that it is not held; then this store came back without it.
        try tell("3", until: 5)
        #expect(try await harness.work(status: 200).calls == 1)
    }

    @Test func `tell the word of a restored ledger once, where it has told something else since`()
        async throws
    {
        try tell("1", until: 5)
        try tell("2", until: nil)
        #expect(try await harness.work(status: 200).calls == 2)
        for _ in 0..<2 { try tell("1", until: 5) }
        #expect(try await harness.work(status: 200).calls == 1)
        #expect(Set(harness.posted.map(\.body)).count == 3, "by an id of its own")
        try tell("2", until: nil)
        #expect(try await harness.work(status: 200).calls == 1)
        try tell("3", until: 5)
        try tell("1", until: 5)
        #expect(try await harness.work(status: 200).calls == 1, "it says what is believed")
    }

    @Test func `tell of what was bought outside the App Store, once for each notification of Apple's`()
        async throws
    {
        var notified = ExternalPurchaseNotifiedV1(
            bundleId: .game,
            environment: .sandbox,
            notificationUUID: "uuid-1",
            notifiedAt: Timestamp(milliseconds: 5),
            subtype: "CREATED",
            externalPurchaseId: "SANDBOX_1"
        )
        let handler = OnExternalPurchaseNotified(subscribers: [.game])
        for id in ["first", "first", "second"] {
            try harness.handle(notified, id: id, handler.callAsFunction)
        }
        notified.bundleId = .otherApp
        try harness.handle(notified, id: "other", handler.callAsFunction)
        #expect(try await harness.work(status: 200).calls == 2)
        let bodies = harness.posted.map(\.body)
        #expect(bodies[0].hasPrefix(#"{"environment":"Sandbox","specversion":"1.0","id":"first""#))
        #expect(bodies[1].contains(#""externalPurchaseId":"SANDBOX_1""#))
    }

    @Test func `tell of consent that was withdrawn, also where no buyer is known, once for each message`()
        async throws
    {
        let rescinded = ConsentRescindedV1(
            bundleId: .game,
            environment: .production,
            appTransactionId: "704000000000000001",
            rescindedAt: Timestamp(milliseconds: 5),
            buyerIds: []
        )
        let handler = OnConsentRescinded(subscribers: [.game])
        for _ in 0..<2 { try harness.handle(rescinded, id: "rescinded", handler.callAsFunction) }
        #expect(try await harness.work(status: 500).calls == 1)
        harness.now = harness.now.advanced(by: 1_000)
        #expect(try await harness.work(status: 200).calls == 1)
        let body = try #require(harness.posted.last).body
        #expect(body.hasPrefix(#"{"environment":"Production","specversion":"1.0","id":"rescinded""#))
        #expect(body.contains(#""appTransactionId":"704000000000000001""#))
        #expect(body.contains(#""buyerIds":[]"#))
        #expect(harness.posted.map(\.body) == [body, body], "a repeat is the same")
        let other = OnConsentRescinded(subscribers: [.otherApp])
        try harness.handle(rescinded, id: "last", other.callAsFunction)
        #expect(try await harness.work(status: 200).calls == 0)
    }

    @Test func `are signed as another implementation signs`() {
        let body = #"{"specversion":"1.0","id":"e1","data":{"name":"Käthe"}}"#
        let call = WebhookCall(
            NotificationsHarness.endpoint,
            of: EventID(unchecked: "e1"),
            timestamp: 1_760_000_001,
            body: body
        )
        // python3: hmac.new(b"a-secret-of-16-bytes", ("1760000001." + body).encode(), hashlib.sha256)
        let digest = "04488214bec76119a676b501b51cee5eba16b1602e01fb29aa6b9a580cd5f37e"
        // The same of "e1.1760000001." + body, in base64.
        let standard = "EJobUf1JLdaQ9VHA+Wmx+pdxtR9N9eUHfmJjpI4rpPM="
        let names = [
            "Content-Type", "Counterfoil-Timestamp", "Counterfoil-Signature",
            "webhook-id", "webhook-timestamp", "webhook-signature",
        ]
        #expect(call.headers.map(\.name) == names)
        let values = [
            "application/cloudevents+json", "1760000001", "v1=" + digest,
            "e1", "1760000001", "v1," + standard,
        ]
        #expect(call.headers.map(\.value) == values)
    }

    @Test func `are signed with the former secret as well, while there is one`() {
        func headers(_ endpoint: Configuration.Webhook) -> [String: String] {
            let id = EventID(unchecked: "e1")
            let call = WebhookCall(endpoint, of: id, timestamp: 1_760_000_001, body: "{}")
            return Dictionary(uniqueKeysWithValues: call.headers.map { ($0.name, $0.value) })
        }
        let url = NotificationsHarness.endpoint.url
        let secrets = ["the-present-secret", "the-former-secret"]
        let alone = secrets.map { headers(Configuration.Webhook(url: url, secret: $0)) }
        let both = headers(Configuration.Webhook(url: url, secret: secrets[0], formerSecret: secrets[1]))
        for name in ["Counterfoil-Signature", "webhook-signature"] {
            let signatures = alone.compactMap { $0[name] }
            #expect(both[name]?.split(separator: " ").map(String.init) == signatures)
            #expect(Set(signatures).count == 2)
        }
        #expect(both["webhook-id"] == "e1" && both.count == alone[0].count)
    }

    @Test func `reach the server in order per buyer, and one buyer's failure holds up no other`() async throws
    {
        for id in ["1", "2", "3"] { try harness.tell(id) }
        #expect(try await harness.work(status: 500).calls == 1)
        for id in ["4", "5"] { try harness.tell(id, of: .eve) }
        #expect(try await harness.work(status: 200).calls == 2)
        #expect(try harness.postedTransactions() == ["1", "4", "5"])
        harness.now = harness.now.advanced(by: 1_000)
        try harness.tell("6")
        #expect(try await harness.work(status: 200).calls == 4)
        #expect(try harness.postedTransactions() == ["1", "4", "5", "1", "2", "3", "6"])
        #expect(try harness.rows("SELECT 1 FROM webhook WHERE delivered_at IS NULL").isEmpty)
    }

    @Test(arguments: [nil, 199, 301, 404, 410, 500] as [Int?])
    func `are tried again after growing pauses and never given up`(status: Int?) async throws {
        try harness.tell("1")
        var last: Int64 = 0
        for attempt in 1...40 {
            let (calls, next) = try await harness.work(status: status)
            #expect(calls == 1)
            let pause = try #require(next).milliseconds - harness.now.milliseconds
            #expect(attempt > 12 || pause > last)
            #expect(pause <= 3_600_000)
            harness.now = harness.now.advanced(by: pause - 1)
            #expect(try await harness.work(status: 200).calls == 0, "not before its time")
            harness.now = harness.now.advanced(by: 1)
            last = pause
        }
        #expect(try harness.gauge("webhooks_alarmed") == 1)
        #expect(try await harness.work(status: 204).calls == 1)
        #expect(try harness.gauge("webhooks_undelivered") == 0)
        #expect(try harness.postedTransactions() == Array(repeating: "1", count: 41))
    }

    @Test func `that a wrong clock put off are sent as soon as the clock is right`() async throws {
        for id in ["1", "2"] { try harness.tell(id) }
        let right = harness.now
        harness.now = right.advanced(by: 30 * 86_400_000)
        #expect(try await harness.work(status: 503).calls == 1)
        harness.now = right.advanced(by: 5_000)
        #expect(try await harness.work(status: 200).calls == 2)
        #expect(try harness.postedTransactions() == ["1", "1", "2"])
        #expect(try harness.gauge("webhooks_undelivered") == 0)
    }

    @Test func `that are due are found by index, also those that a wrong clock wrote`() throws {
        let times = Webhook.due(at: harness.now)
        var queries: [SQL] = ["SELECT MIN(due_at) FROM webhook WHERE \(times.later(than: "due_at"))"]
        _ = try times.rows(by: "due_at", limit: 9) { range throws(StoreError) -> [WebhookJob] in
            queries.append("SELECT about FROM webhook WHERE \(range)")
            return []
        }
        #expect(queries.count == 3)
        for query in queries {
            let plan = try harness.harness.database.write { try $0.plan(of: query) }
            #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH webhook USING"), "\(plan)")
            #expect(plan[0].contains("webhook_due (due_at"), "\(plan)")
        }
    }

    @Test func `are signed anew at each attempt, with the same body`() async throws {
        try harness.tell("1")
        try await harness.work(status: 500)
        harness.now = harness.now.advanced(by: 10_000)
        try await harness.work(status: 200)
        let calls = harness.posted
        #expect(calls.count == 2)
        #expect(calls[0].body == calls[1].body)
        #expect(calls[0].headers.map(\.value).last != calls[1].headers.map(\.value).last)
    }

    @Test func `that were delivered are not sent again when everything is sent again`() async throws {
        for _ in 0..<2 { try harness.tell("1") }
        try await harness.work(status: 200)
        try harness.tell("1")
        #expect(try await harness.work(status: 200).calls == 0)
        #expect(harness.posted.count == 1)
    }

    @Test func `have the same id and body when a restored store tells their change again`() throws {
        let bodies = try [Submission.submission(), nil].map { (submission: Submission?) in
            let harness = NotificationsHarness()
            let traceparent = submission == nil ? nil : Self.trace
            try harness.tell("1", to: submission, id: EventID(unchecked: "change"), traceparent: traceparent)
            return try harness.rows("SELECT body, event_id FROM webhook").map(\.values)
        }
        #expect(bodies[0].count == 1)
        #expect(bodies[0] == bodies[1])
    }

    @Test func `bring the trace of the request that led to them in a header, if it is a trace`() async throws
    {
        try harness.tell("1", traceparent: Self.trace)
        try harness.tell("2", traceparent: "x\r\nForged: 1")
        try harness.tell("3", traceparent: nil)
        #expect(try await harness.work(status: 200).calls == 3)
        let traces = harness.posted.map { $0.headers.first { $0.name == "traceparent" }?.value }
        #expect(traces == [Self.trace, nil, nil])
        #expect(harness.posted.allSatisfy { !$0.body.contains("traceparent") })
    }

    @Test func `are not written without an endpoint, or without news`() throws {
        let silent = NotificationsHarness(subscribers: [])
        try silent.tell("1")
        #expect(try silent.rows("SELECT 1 FROM webhook").isEmpty)
        try harness.take(.changed("1"))
        #expect(try harness.rows("SELECT 1 FROM webhook").isEmpty)
    }

    @Test func `wait for their endpoint when it was taken out of the configuration`() async throws {
        try harness.tell("1")
        #expect(try await harness.work(status: 200, endpoints: [:]).next != nil)
        #expect(try harness.gauge("webhooks_undelivered") == 1)
        harness.now = harness.now.advanced(by: 3_600)
        #expect(try harness.gauge("webhooks_undelivered_oldest_seconds") == 3.6)
        try await harness.work(status: 200)
        #expect(try harness.gauge("webhooks_undelivered") == 0)
    }

    @Test func `in hand are not taken in hand a second time`() throws {
        for buyer in ["a", "b", "c"] { try harness.tell(buyer, of: BuyerID(unchecked: buyer)) }
        let first = try harness.harness.due(limit: 2).items
        let second = try harness.harness.due(limit: 2, excluding: Set(first.map(\.key))).items
        #expect(first.count == 2 && second.count == 1)
        #expect(Set((first + second).map(\.key)).count == 3)
    }

    @Test func `that reached the server just before their owner died are counted once`() async throws {
        try harness.tell("1")
        let item = try #require(try harness.harness.due(limit: 1).items.first)
        for result in ["200", "500", "no answer", "200"] {
            try harness.finish(item, result: Array(result.utf8))
        }
        #expect(try harness.gauge("webhooks_undelivered") == 0)
    }

    @Test func `and verdicts are found by the ids of their story`() async throws {
        try harness.take(.accepted(["1"]), .changed("1", entries: 1))
        try await harness.work(status: 200)
        let (accepted, changed) = (ReceiptAcceptedV1.type.rawValue, EntitlementChangedV1.type.rawValue)
        let receipt = try harness.trace(ReceiptID.handedIn.rawValue)
        #expect(receipt.entries.map(\.type).sorted() == [changed, accepted])
        let order = NotificationsHarness.order("1").orderId
        #expect(receipt.related == ["1", ReceiptID.handedIn.rawValue, order.rawValue])
        let transaction = try harness.trace("1")
        #expect(transaction.entries.map(\.type) == [changed, "counterfoil.webhook.delivered"])
        #expect(try harness.trace("unknown") == Trace())
    }
}
