import Contracts
import Database
import Foundation
import Program
import TestKit
import Testing

@testable import Delivery
@testable import Notifications

@Suite struct `a partition of Notifications` {
    private static func engine() throws -> PartitionEngine {
        var app = Configuration.App(bundleId: BundleID.game, keys: [])
        app.webhook = NotificationsHarness.endpoint
        let service = NotificationsService(Configuration(apps: [app]))
        let settings = PartitionEngine.Settings(address: PartitionAddress(.notifications, 0), partitions: 1)
        let store = try SQLiteDatabase(path: ":memory:")
        let engine = PartitionEngine(service: service, settings: settings, store: store)
        _ = try engine.takeOver(at: moment)
        return engine
    }

    private static let moment = ClockReading(now: Timestamp(milliseconds: 1_760_000_001_000), uptime: 1_000)

    private static func bytes<Body: Contract>(_ body: Body, id: String) throws -> [UInt8] {
        let event = Event(
            id: EventID(unchecked: id),
            source: "/test",
            time: moment.now,
            subject: "com.example.game/ada",
            data: body
        )
        return try EventCoder.encoder().encode(event)
    }

    private static func take(
        _ message: NotificationsHarness.Message,
        id: String,
        _ engine: PartitionEngine
    ) throws -> PartitionOutput {
        let bytes =
            switch message {
            case .reading(let body): try bytes(body, id: id)
            case .judgement(let body): try bytes(body, id: id)
            case .change(let body): try bytes(body, id: id)
            }
        return try engine.handle([.direct(bytes)], at: moment)
    }

    @Test func `answers one who waits as soon as the verdict is there, and takes the webhook in hand`() throws
    {
        let engine = try Self.engine()
        let wait = VerdictWaitV1(bundleId: BundleID.game, receiptId: .handedIn, wait: 5_000)
        let address = PartitionAddress(.notifications, 0)
        let request = WireHeader.Request(id: "q1", to: address, within: 10_000)
        let question = WireMessage(WireHeader(request: request), body: [try Self.bytes(wait, id: "r1")])
        #expect(try engine.handle(question.inputs(from: [1]), at: Self.moment).replies.isEmpty)

        let first = try Self.take(.accepted(["1"]), id: "e1", engine)
        #expect(first.replies.isEmpty && first.work.isEmpty)

        let second = try Self.take(.changed("1", entries: 1), id: "e2", engine)
        let reply = try #require(second.replies.first)
        #expect(reply.connection == [1] && reply.message.header.reply?.id == "q1")
        let answer = try JSONDecoder().decode(ReceiptVerdictV1.self, from: Data(reply.message.body.joined()))
        #expect(answer.verdict == .granted && answer.finish)
        #expect(second.work.count == 1)

        let item = try #require(second.work.first)
        let done = try engine.handle([.worked(item, result: Array("200".utf8))], at: Self.moment)
        #expect(done.work.isEmpty)
    }

    /// Receipts is told that an expired receipt is finished; as long as it is not, it says again that it has expired.
    @Test func `has a link to Receipts alone, and nothing to say again on it`() throws {
        #expect(LinkKind.all[.notifications]?.keys.map(\.self) == [.receipts])
        let notifications = try NotificationsHarness(having: [.accepted(["1"]), .changed("1", entries: 1)])
        #expect(try notifications.harness.redriven(to: .receipts).isEmpty)
    }
}
