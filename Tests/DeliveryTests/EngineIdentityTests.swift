import Contracts
import Database
import Domain
import Foundation
import Glibc
import TestKit
import Testing

@testable import Delivery

@Suite struct EngineIdentityTests {
    private static let clock = ClockReading(now: Timestamp(milliseconds: 1_760_000_000_000), uptime: 1_000)
    private static let bundle = BundleID(unchecked: "com.example.game")

    /// Keeps the buyers that it is asked about, so that a test sees what took effect.
    private struct BuyerService: BareService {
        static let name = ServiceName.entitlements
        static let schema = Schema(
            "buyers",
            [
                Migration(
                    1,
                    ["CREATE TABLE buyer (buyer TEXT NOT NULL PRIMARY KEY, times INTEGER NOT NULL) STRICT"]
                )
            ]
        )

        func register(in table: inout HandlerTable) {
            table.on(request: EntitlementsGetV1.self) { event, context in
                try context.connection.execute(
                    "INSERT INTO buyer VALUES (?, 1) ON CONFLICT (buyer) DO UPDATE SET times = times + 1",
                    [.text(event.data.buyerId.rawValue)]
                )
                return .refused(.init(.notFound, "noted"))
            }
            table.on(GrantRecordedV1.self) { event, context in
                try context.connection.execute(
                    "INSERT INTO buyer VALUES (?, 1)",
                    [.text(event.data.buyerId.rawValue)]
                )
                return .applied
            }
        }
    }

    private static func engine(
        _ partition: Int,
        of partitions: Int,
        takesForeign: Bool = false,
        _ store: SQLiteDatabase
    ) -> PartitionEngine {
        let address = PartitionAddress(.entitlements, partition)
        var settings = PartitionEngine.Settings(address: address, partitions: partitions)
        settings.takesForeign = takesForeign
        return PartitionEngine(service: BuyerService(), settings: settings, store: store)
    }

    /// A new store and its first owner.
    private static func owner(
        _ partition: Int,
        of partitions: Int,
        takesForeign: Bool = false
    ) throws -> (engine: PartitionEngine, store: SQLiteDatabase) {
        let store = try SQLiteDatabase(path: ":memory:")
        let engine = engine(partition, of: partitions, takesForeign: takesForeign, store)
        _ = try engine.takeOver(at: clock)
        return (engine, store)
    }

    private static func request(_ buyer: String, of partition: Int = 0) throws -> PartitionInput {
        let question = EntitlementsGetV1(
            bundleId: bundle,
            buyerId: BuyerID(unchecked: buyer),
            environment: .production
        )
        let event = Event(
            id: EventID(unchecked: "q-" + buyer.utf8.map { String($0, radix: 16) }.joined()),
            source: "/test",
            time: clock.now,
            subject: "s",
            data: question
        )
        let bytes = try EventCoder.encoder().encode(event)
        let to = PartitionAddress(.entitlements, partition)
        return .request(.init(id: "q", to: to, within: 10_000, event: bytes, connection: [1]))
    }

    private static func buyers(_ store: SQLiteDatabase) throws -> [String] {
        try store.write { try $0.rows("SELECT buyer FROM buyer").map { try $0[0] as String } }
    }

    @Test func `a store is refused to any other partition, count or service, and stays as it was`() throws {
        let store = try Self.owner(1, of: 4).store
        for (partition, partitions) in [(1, 8), (1, 2), (2, 4), (0, 1)] {
            let found = PartitionIdentity(PartitionAddress(.entitlements, 1), of: 4)
            let wanted = PartitionIdentity(PartitionAddress(.entitlements, partition), of: partitions)
            #expect(throws: PartitionIdentity.Mismatch(found: found, wanted: wanted)) {
                try Self.engine(partition, of: partitions, store).takeOver(at: Self.clock)
            }
        }
        #expect(throws: PartitionIdentity.Mismatch.self) {
            try PartitionEngine(
                service: NoteService<SendingRole>(),
                settings: .init(address: PartitionAddress(.orders, 1), partitions: 4),
                store: store
            ).takeOver(at: Self.clock)
        }
        let next = Self.engine(1, of: 4, store)
        _ = try next.takeOver(at: Self.clock)
        #expect(next.epoch == 2, "nobody who was refused has counted as an owner")
        let identity = PartitionIdentity(PartitionAddress(.entitlements, 1), of: 4)
        #expect(try PartitionIdentity.recorded(in: store) == identity)
    }

    @Test func `a refusal says what to do`() {
        let text = PartitionIdentity.Mismatch(
            found: .init(PartitionAddress(.orders, 1), of: 4),
            wanted: .init(PartitionAddress(.orders, 1), of: 8)
        ).description
        #expect(text.contains("/orders/1 of 4") && text.contains("/orders/1 of 8"))
        #expect(text.contains("counterfoil.json"))
    }

    @Test(arguments: [1, 4, 256])
    func `the label of a store names its partition`(_ partitions: Int) throws {
        for service in ServiceName.allCases {
            let identity = PartitionIdentity(PartitionAddress(service, partitions - 1), of: partitions)
            let path = "/tmp/label-\(UUID().uuidString).sqlite"
            defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
            let store = try SQLiteDatabase(path: path)
            try store.raiseFence(label: identity.label)
            try store.write { _ = try $0.execute("CREATE TABLE any (one INTEGER) STRICT") }
            try store.declareUse()
            #expect(try PartitionIdentity.labelled(path: path) == identity)
            try store.close()
            #expect(try PartitionIdentity.labelled(path: path) == identity)
        }
    }

    @Test func `a request for a key of another partition is refused, and nothing of it is kept`() throws {
        for partition in 0..<4 {
            let (engine, store) = try Self.owner(partition, of: 4)
            var own: Set<String> = []
            for number in 0..<32 {
                let buyer = "buyer-\(number)"
                let shard = PartitionKey.buyer(BuyerID(unchecked: buyer), of: Self.bundle).shard
                if shard.partition(of: 4) == partition { own.insert(buyer) }
                let output = try engine.handle([Self.request(buyer, of: partition)], at: Self.clock)
                let refusal = output.replies.first?.message.header.reply?.refused
                #expect(refusal?.code == (own.contains(buyer) ? .notFound : .misdirected), "\(buyer)")
            }
            #expect(!own.isEmpty && own.count < 32)
            #expect(try Set(Self.buyers(store)) == own)
        }
    }

    @Test func `an event for a key of another partition is a dead letter, its bytes kept, its link goes on`()
        throws
    {
        let (engine, store) = try Self.owner(0, of: 2)
        let foreign = OrderID(time: Self.clock.now, shard: Shard(rawValue: 1), random: 1)
        let settled = GrantRecordedV1(
            bundleId: Self.bundle,
            buyerId: BuyerID(unchecked: "ada"),
            orderId: foreign,
            purchaseId: PurchaseID(unchecked: "1"),
            outcome: .granted
        )
        let event = Event(
            id: EventID(unchecked: "e-1"),
            source: "/entitlements/1",
            time: Self.clock.now,
            subject: "s",
            data: settled
        )
        let output = try engine.handle(
            [.direct(EventCoder.encoder().encode(event))],
            at: Self.clock
        )
        #expect(try Self.buyers(store).isEmpty)
        #expect(output.refusals.map(\.code) == [.deadLettered])
        #expect(output.alarms.contains { $0.text.contains("/entitlements/1") })
        let letters = try store.write { try DeadLetterStore(connection: $0).letters(limit: 10) }
        #expect(letters.map(\.eventId) == ["e-1"])
    }

    @Test func `a store that stands for all partitions takes the messages of all`() throws {
        let (engine, store) = try Self.owner(0, of: 4, takesForeign: true)
        for number in 0..<16 { _ = try engine.handle([Self.request("buyer-\(number)")], at: Self.clock) }
        #expect(try Self.buyers(store).count == 16)
    }

    // MARK: Texts

    /// The same letter in one scalar and in two.
    private static let composed = "Ren\u{E9}"
    private static let decomposed = "Rene\u{301}"

    @Test func `a buyer's name composed and decomposed is two buyers: in a set, a shard and a store`() throws
    {
        let names = [Self.composed, Self.decomposed].map { BuyerID(unchecked: $0) }
        #expect(Self.composed == Self.decomposed, "as Unicode sees it they are one")
        #expect(Set(names).count == 2)
        let shards = names.map { PartitionKey.buyer($0, of: Self.bundle).shard }
        #expect(shards[0] != shards[1])
        let (engine, store) = try Self.owner(0, of: 1)
        for name in names + names { _ = try engine.handle([Self.request(name.rawValue)], at: Self.clock) }
        let stored = try Self.buyers(store).map { BuyerID(unchecked: $0) }
        #expect(Set(stored) == Set(names))
        #expect(try store.write { try $0.value("SELECT MIN(times) FROM buyer") } == 2)
    }

    @Test func `subjects that only Unicode holds equal are delayed apart, and none is forgotten`() throws {
        let pair = try EnginePair()
        try pair.entitlements.write("INSERT INTO broken (text) VALUES ('bad')")
        for subject in [Self.composed, Self.decomposed] {
            try pair.tell(pair.entitlements, [pair.event(NoteV1(text: "bad"), subject: subject)])
        }
        #expect(pair.entitlements.engine.state.delayed.count == 2)
        try pair.takeOver(pair.entitlements)
        #expect(pair.entitlements.engine.state.delayed.count == 2)
        try pair.entitlements.write("DELETE FROM broken")
        pair.advance(RetryPolicy.backoff.first)
        try pair.carry(pair.entitlements.engine.retryDelayed(at: pair.clock), from: pair.entitlements)
        #expect(try pair.entitlements.texts() == ["bad", "bad"])
        #expect(try pair.entitlements.count("delayed_event") == 0)
    }
}
