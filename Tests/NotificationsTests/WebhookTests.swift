import Contracts
import Database
import Delivery
import Foundation
import NotificationsCore
import Program
import TestKit
import Testing

@testable import Notifications

@Suite struct `webhooks` {
    private typealias Harness = NotificationsHarness

    @Test func `carry the event itself under its own id`() async throws {
        let harness = try Harness()
        try harness.tell("1")
        #expect(harness.workAt == harness.now)
        let (calls, next) = try await harness.work(status: 200)
        #expect(calls == 1 && next == nil)
        let event = try Harness.event(try #require(harness.posted.first).body)
        #expect(event.type == "counterfoil.entitlement.changed.v1")
        #expect(
            harness.posted.first?.body.hasPrefix(#"{"environment":"Production","specversion":"1.0","id":"#)
                == true,
            "whether money was real stands first"
        )
        let row = try #require(try harness.rows("SELECT event_id, delivered_at, body FROM webhook").first)
        #expect(row.values == [.text(event.id), .integer(harness.now.milliseconds), .text("")])
    }

    @Test func `are signed as another implementation signs`() {
        let body = #"{"specversion":"1.0","id":"e1","data":{"name":"Käthe"}}"#
        let call = WebhookCall(Harness.endpoint, timestamp: 1_760_000_001, body: body)
        // python3: hmac.new(b"a-secret-of-16-bytes", ("1760000001." + body).encode(), hashlib.sha256)
        let digest = "04488214bec76119a676b501b51cee5eba16b1602e01fb29aa6b9a580cd5f37e"
        #expect(
            call.headers.map(\.name) == ["Content-Type", "Counterfoil-Timestamp", "Counterfoil-Signature"]
        )
        #expect(
            call.headers.map(\.value) == ["application/cloudevents+json", "1760000001", "v1=" + digest]
        )
    }

    @Test func `reach the server in order per buyer, and one buyer's failure holds up no other`() async throws
    {
        let harness = try Harness()
        let eve = BuyerID(unchecked: "eve")
        for id in ["1", "2", "3"] { try harness.tell(id) }
        #expect(try await harness.work(status: 500).calls == 1)
        try harness.tell("4", of: eve)
        try harness.tell("5", of: eve)
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
        let harness = try Harness()
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
        #expect(try harness.gauges()["counterfoil_webhooks_alarmed"] == 1)
        #expect(try await harness.work(status: 204).calls == 1)
        #expect(try harness.gauges()["counterfoil_webhooks_undelivered"] == 0)
        #expect(try harness.postedTransactions() == Array(repeating: "1", count: 41))
    }

    @Test func `are signed anew at each attempt, with the same body`() async throws {
        let harness = try Harness()
        try harness.tell("1")
        try await harness.work(status: 500)
        harness.now = harness.now.advanced(by: 10_000)
        try await harness.work(status: 200)
        let calls = harness.posted
        #expect(calls.count == 2)
        #expect(calls[0].body == calls[1].body)
        #expect(calls[0].headers[2].value != calls[1].headers[2].value)
    }

    @Test func `that were delivered are not sent again when everything is sent again`() async throws {
        let harness = try Harness()
        try harness.tell("1")
        try harness.tell("1")
        try await harness.work(status: 200)
        try harness.tell("1")
        #expect(try await harness.work(status: 200).calls == 0)
        #expect(harness.posted.count == 1)
    }

    @Test func `have the same id and body when a restored store tells their change again`() throws {
        let bodies = try [Harness.submission, nil].map { submission in
            let harness = try Harness()
            let event = Event(
                id: EventID(unchecked: "change"),
                source: "/entitlements/0",
                time: Timestamp(milliseconds: 100),
                subject: "com.example.game/ada",
                causationID: EventID(unchecked: "cause"),
                traceparent: submission == nil
                    ? nil : "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                data: Harness.change("1", submission: submission)
            )
            let handler = OnEntitlementChanged(subscribers: [Harness.bundle])
            #expect(try harness.transact { try handler(event, in: &$0) } == .applied)
            return try harness.rows("SELECT body, event_id FROM webhook").map(\.values)
        }
        #expect(bodies[0].count == 1)
        #expect(bodies[0] == bodies[1])
    }

    @Test func `are not written without an endpoint, or without news`() throws {
        let silent = try Harness(subscribers: [])
        try silent.tell("1")
        #expect(try silent.rows("SELECT 1 FROM webhook").isEmpty)
        let harness = try Harness()
        try harness.take(.changed("1", .granted))
        #expect(try harness.rows("SELECT 1 FROM webhook").isEmpty)
    }

    @Test func `wait for their endpoint when it was taken out of the configuration`() async throws {
        let harness = try Harness()
        try harness.tell("1")
        #expect(try await harness.work(status: 200, endpoints: [:]).next != nil)
        #expect(try harness.gauges()["counterfoil_webhooks_undelivered"] == 1)
        harness.now = harness.now.advanced(by: 3_600)
        #expect(try harness.gauges()["counterfoil_webhooks_undelivered_oldest_seconds"] == 3.6)
        try await harness.work(status: 200)
        #expect(try harness.gauges()["counterfoil_webhooks_undelivered"] == 0)
    }

    @Test func `in hand are not taken in hand a second time`() throws {
        let harness = try Harness()
        for buyer in ["a", "b", "c"] { try harness.tell(buyer, of: BuyerID(unchecked: buyer)) }
        let worker = WebhookWorker(endpoints: [:], poster: HTTPWebhookPoster())
        let (first, second) = try harness.database.write { connection in
            let first = try worker.due(
                connection,
                of: Harness.address,
                now: harness.now,
                limit: 2,
                excluding: []
            ).items
            let inHand = Set(first.map(\.key))
            return (
                first,
                try worker.due(connection, of: Harness.address, now: harness.now, limit: 2, excluding: inHand)
                    .items
            )
        }
        #expect(first.count == 2 && second.count == 1)
        #expect(Set((first + second).map(\.key)).count == 3)
    }

    @Test func `that reached the server just before their owner died are counted once`() async throws {
        let harness = try Harness()
        try harness.tell("1")
        let worker = WebhookWorker(endpoints: [:], poster: HTTPWebhookPoster())
        let items = try harness.database.write {
            try worker.due($0, of: Harness.address, now: harness.now, limit: 1, excluding: []).items
        }
        let item = try #require(items.first)
        for result in ["200", "500", "no answer", "200"] {
            try harness.transact { try worker.finish(item, result: Array(result.utf8), in: &$0) }
        }
        #expect(try harness.gauges()["counterfoil_webhooks_undelivered"] == 0)
    }

    @Test func `and verdicts are found by the ids of their story`() async throws {
        let harness = try Harness()
        try harness.take(.accepted(["1"]))
        let change = Harness.change("1", submission: Harness.submission)
        try harness.handle(change, OnEntitlementChanged(subscribers: [Harness.bundle]).callAsFunction)
        try await harness.work(status: 200)
        let service = NotificationsService(NotificationsConfiguration(Configuration(apps: [])))
        let receipt = try harness.database.write { try service.trace([Harness.receipt.rawValue], in: $0) }
        #expect(
            receipt.entries.map(\.type).sorted() == [
                EntitlementChangedV1.type.rawValue, ReceiptAcceptedV1.type.rawValue,
            ]
        )
        #expect(receipt.related == ["1", Harness.receipt.rawValue, Harness.order("1").orderId.rawValue])
        let transaction = try harness.database.write { try service.trace(["1"], in: $0) }
        #expect(
            transaction.entries.map(\.type) == [
                EntitlementChangedV1.type.rawValue, "counterfoil.webhook.delivered",
            ]
        )
        #expect(try harness.database.write { try service.trace(["unknown"], in: $0) } == Trace())
    }
}
