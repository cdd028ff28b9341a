import Contracts
import Database
import Foundation
import Testing

@testable import Delivery

/// What a live partition records, and what becomes of it on standard streams.
@Suite struct EngineRecordTests {
    private let pair: EnginePair

    init() throws { pair = try EnginePair() }

    /// A partition over an empty store, and what it recorded.
    private final class Recorded {
        let engine: PartitionEngine
        private let lines: AsyncStream<String>
        private let end: AsyncStream<String>.Continuation

        init(_ clock: ClockReading) throws {
            let (lines, recording) = AsyncStream<String>.makeStream()
            (self.lines, end) = (lines, recording)
            engine = try EngineRecordTests.engine { recording.yield($0) }
            _ = try engine.takeOver(at: clock)
        }

        func record() async -> [String] {
            end.finish()
            return await lines.reduce(into: []) { $0.append($1) }
        }
    }

    private static func engine(record: (@Sendable (String) -> Void)? = nil) throws -> PartitionEngine {
        var settings = PartitionEngine.Settings(address: PartitionAddress(.orders, 0), partitions: 1)
        settings.record = record
        let store = try SQLiteDatabase(path: ":memory:")
        return PartitionEngine(service: EnginePair.Orders(), settings: settings, store: store)
    }

    /// What a fresh partition says to these lines.
    private static func replay(
        _ lines: [String],
        now: Timestamp? = nil,
        hasSeed: Bool = false,
        partition: Int? = nil
    ) throws -> (said: [String], unusable: Int) {
        let engine = try engine()
        var streams = try StandardStreams(engine: engine, now: now, hasSeed: hasSeed, partition: partition)
        let said = try lines.enumerated().flatMap { try streams.handle($1, number: $0 + 1) }
        return (said + (try streams.end()), streams.unusableLines)
    }

    private struct Sent: Decodable {
        struct Body: Decodable { let event: JSONValue }
        let send: Body
    }

    /// The bytes of the events that are among what standard streams said.
    private static func events(in said: [String]) throws -> [String] {
        try said.filter { $0.hasPrefix(#"{"send""#) }.map { line in
            let sent = try JSONDecoder().decode(Sent.self, from: Data(line.utf8))
            return String(decoding: try EventCoder.encoder().encode(sent.send.event), as: UTF8.self)
        }
    }

    /// The bytes of what a live partition sent, as standard streams would write them.
    private static func events(in outputs: PartitionOutput...) throws -> [String] {
        try outputs.flatMap(\.sent).map { sent in
            let event = try JSONDecoder().decode(JSONValue.self, from: Data(sent.bytes))
            return String(decoding: try EventCoder.encoder().encode(event), as: UTF8.self)
        }
    }

    @Test func `a record comes to the same events again, however its messages came together`() async throws {
        let live = try Recorded(pair.clock)
        let first = try live.engine.handle(
            [
                .direct(pair.event(RelayV1(to: .entitlements, texts: ["1", "2"]))),
                pair.request(PartitionStatusV1(), id: "s"),
                .direct(pair.event(RelayV1(to: .receipts, texts: ["3"]))),
            ],
            at: pair.clock
        )
        pair.advance(777)
        let second = try live.engine.handle(
            [pair.request(SayV1(to: .entitlements, texts: ["4"]), id: "a")],
            at: pair.clock
        )
        let record = await live.record()
        #expect(record.count == 3)
        let sent = try Self.events(in: first, second)
        let again = try Self.events(in: Self.replay(record).said)
        #expect(again.sorted() == sent.sorted())
        #expect(sent.count == 4)
        #expect(try Self.events(in: Self.replay(record.reversed()).said).sorted() == sent.sorted())
    }

    @Test func `what operators ask is not recorded`() async throws {
        let live = try Recorded(pair.clock)
        let questions: [any RequestContract] = [
            PartitionStatusV1(), TraceV1(identifiers: ["x"]), DeadLettersListV1(), LinksListV1(),
        ]
        for question in questions {
            _ = try live.engine.handle([pair.request(question)], at: pair.clock)
        }
        _ = try live.engine.handle([pair.request(NotesV1(atLeast: 0))], at: pair.clock)
        let record = await live.record()
        #expect(record.count == 1)
        #expect(record.first?.contains("test.notes.v1") == true)
    }

    @Test func `a time and a seed on the command line go before those of a record`() async throws {
        let live = try Recorded(pair.clock)
        let relay = RelayV1(to: .entitlements, texts: ["1"])
        _ = try live.engine.handle([.direct(pair.event(relay))], at: pair.clock)
        let record = await live.record()
        let later = pair.clock.now.advanced(by: 60_000)
        let plain = try Self.events(in: Self.replay(record).said)
        let moved = try Self.events(in: Self.replay(record, now: later, hasSeed: true).said)
        #expect(plain.first?.contains(pair.clock.now.rfc3339) == true)
        #expect(moved.first?.contains(later.rfc3339) == true)
        #expect(try moved != Self.events(in: Self.replay(record, now: later).said))
    }

    @Test func `of a named partition only its own lines are replayed`() async throws {
        let live = try Recorded(pair.clock)
        _ = try live.engine.handle([pair.request(NotesV1(atLeast: 0))], at: pair.clock)
        let record = await live.record()
        #expect(try Self.replay(record).said.count == 1)
        #expect(try Self.replay(record, partition: 0).said.count == 1)
        #expect(try Self.replay(record, partition: 1).said.isEmpty)
    }

    @Test func `a line with only a time and a seed sets them for what follows`() throws {
        let event = String(
            decoding: try pair.event(RelayV1(to: .entitlements, texts: ["1", "2"])),
            as: UTF8.self
        )
        let lines = [#"{"now":"2026-01-31T12:00:00Z","seed":7}"#, #"{"event":\#(event)}"#]
        let (said, unusable) = try Self.replay(lines)
        #expect(try Self.replay(lines).said == said)
        #expect(said.count == 2 && said.allSatisfy { $0.contains("2026-01-31T12:00:00.000Z") })
        #expect(unusable == 0)
        let other = [lines[0].replacing("7", with: "8"), lines[1]]
        #expect(try Self.replay(other).said != said)
    }

    @Test func `lines with which nothing can be done are counted, refused messages are not`() throws {
        let letter = String(decoding: try pair.event(NoteV1(text: "deadLetter")), as: UTF8.self)
        let useless = [
            "garbage", "[]", "{}", #"{"now":"yesterday"}"#, #"{"request":7}"#,
            #"{"event":{"type":"test.note.v1"}}"#,
            #"{"request":\#(letter)}"#,
        ]
        let (said, unusable) = try Self.replay(useless + [#"{"event":\#(letter)}"#])
        #expect(unusable == useless.count)
        #expect(said.count == useless.count + 1)
        #expect(said.allSatisfy { $0.hasPrefix(#"{"refused":"#) })
    }
}
