import Contracts
import Database
import Testing

@testable import Delivery

@Suite struct EnginePartsTests {
    private func row(_ sequence: UInt64) -> DeliveryStore.OutboxRow {
        .init(
            sequence: sequence,
            eventID: EventID(unchecked: "e\(sequence)"),
            event: [UInt8(sequence & 0xFF)]
        )
    }

    @Test func `the row cache has a range only when it has all of it`() {
        var cache = RowCache()
        #expect(cache.rows(1...1) == nil)
        cache.append([row(5), row(6), row(7)])
        #expect(cache.rows(5...7).map(Array.init) == [row(5), row(6), row(7)])
        #expect(cache.rows(6...6).map(Array.init) == [row(6)])
        #expect(cache.rows(4...6) == nil)
        #expect(cache.rows(6...8) == nil)
        #expect(cache.rows(9...9) == nil)
        cache.drop(through: 5)
        #expect(cache.rows(5...6) == nil)
        #expect(cache.rows(6...7).map(Array.init) == [row(6), row(7)])
        cache.drop(through: 2)
        #expect(cache.rows(6...7).map(Array.init) == [row(6), row(7)])
        cache.drop(through: 100)
        #expect(cache.rows(6...7) == nil)
    }

    @Test func `the row cache keeps the newest rows, no more than its bound`() {
        var cache = RowCache()
        let last = UInt64(RowCache.bound + 10)
        cache.append((1...last).map(row))
        #expect(cache.rows(10...11) == nil)
        #expect(cache.rows(11...last)?.count == RowCache.bound)
    }

    @Test func `the same seed gives the same ids, another seed others`() {
        func ids(_ source: IdentifierSource) -> [EventID] { (0..<4).map { _ in source.eventID() } }
        #expect(ids(IdentifierSource(seed: 1)) == ids(IdentifierSource(seed: 1)))
        #expect(ids(IdentifierSource(seed: 1)) != ids(IdentifierSource(seed: 2)))
        #expect(ids(IdentifierSource()) != ids(IdentifierSource()))
        #expect(Set(ids(IdentifierSource(seed: 1))).count == 4)
        let texts = ids(IdentifierSource(seed: 1)).map(\.rawValue)
        #expect(texts.allSatisfy { EventID.isValid($0) && $0.count == 32 })
    }

    /// The published first numbers of SplitMix64 for the seed 0.
    @Test func `the generator is the published one`() {
        var generator = SplitMix64(state: 0)
        #expect(generator.next() == 0xE220_A839_7B1D_CDAF)
        #expect(generator.next() == 0x6E78_9E6A_A1B9_65F4)
    }

    /// The lines that a partition on standard streams makes of the same input.
    private func run(seed: UInt64) throws -> [String] {
        let settings = PartitionEngine.Settings(
            address: PartitionAddress(.orders, 0),
            partitions: 1,
            identifiers: IdentifierSource(seed: seed)
        )
        let store = try SQLiteDatabase(path: ":memory:")
        let engine = PartitionEngine(service: EnginePair.Orders(), settings: settings, store: store)
        let now = Timestamp(milliseconds: 1_760_000_000_000)
        var streams = try StandardStreams(engine: engine, now: now, hasSeed: true, partition: nil)
        func event(_ type: String, _ data: String) -> String {
            let time = "2025-10-09T08:53:20.000Z"
            let head =
                #""specversion":"1.0","id":"i-\#(type)","source":"/t","time":"\#(time)","subject":"ada""#
            return #"{\#(head),"type":"\#(type)","data":\#(data)}"#
        }
        let lines = [
            #"{"event":\#(event("test.relay.v1", #"{"to":"entitlements","texts":["1","2"]}"#))}"#,
            #"{"request":\#(event("test.say.v1", #"{"to":"entitlements","texts":["3"]}"#))}"#,
            #"{"request":\#(event("test.notes.v1", #"{"atLeast":1}"#))}"#,
            #"{"event":\#(event("test.unheard.v1", "{}"))}"#,
            #"{"request":\#(event("test.unheard.v1", "{}"))}"#,
            "garbage",
        ]
        return try lines.enumerated().flatMap { try streams.handle($1, number: $0 + 1) } + streams.end()
    }

    @Test func `on standard streams the same input, time and seed give the same bytes`() throws {
        let lines = try run(seed: 3)
        #expect(try run(seed: 3) == lines)
        #expect(try run(seed: 4) != lines)
        let kinds = lines.map { $0.prefix(while: { $0 != ":" }) }
        #expect(
            kinds == [
                #"{"send""#, #"{"send""#, #"{"send""#, #"{"reply""#, #"{"refused""#, #"{"refused""#,
                #"{"refused""#, #"{"reply""#,
            ]
        )
        #expect(lines[3] == #"{"reply":{"count":1}}"#)
        #expect(lines[4].contains("deadLettered"))
        #expect(lines[6].contains("line 6"))
        #expect(lines[7] == #"{"reply":{"texts":[]}}"#, "who waits is answered at the end of the input")
    }

    @Test(
        arguments: [
            ("receipts.afterReply:2,orders.afterCommit:3", "orders", "afterCommit 3"),
            ("receipts.afterReply:2,orders.afterCommit:3", "receipts", "afterReply 2"),
            ("receipts.afterReply:2,orders.afterCommit:3", "notifications", nil),
            ("orders.nowhere:1", "orders", nil), ("orders.afterCommit", "orders", nil),
            ("orders.afterCommit:0", "orders", nil), ("orders.afterCommit:-1", "orders", nil),
            ("orders.afterCommit:x", "orders", nil), ("", "orders", nil), (",,", "orders", nil),
            (nil, "orders", nil),
        ] as [(String?, String, String?)]
    )
    func `a crash switch names its service, its point and its count, any other lets everything pass`(
        setting: String?,
        service: String,
        target: String?
    ) {
        let crash = CrashSwitch.from(setting: setting, service: service, allowed: true)
        #expect(crash.target.map { "\($0.point) \($0.count)" } == target)
        for point in CrashPoint.allCases where point != crash.target?.point { crash.reach(point) }
    }

    @Test func `a crash switch is heeded in homes made for tests only, whatever the build`() {
        let setting = "orders.afterCommit:1"
        #expect(CrashSwitch.from(setting: setting, service: "orders", allowed: true).target != nil)
        #expect(CrashSwitch.from(setting: setting, service: "orders", allowed: false).target == nil)
    }

    @Test func `a crash switch counts its point down`() {
        let crash = CrashSwitch.from(setting: "orders.afterCommit:3", service: "orders", allowed: true)
        crash.reach(.afterCommit)
        crash.reach(.afterCommit)
        #expect(crash.target?.count == 1, "the next one ends the process")
    }
}
