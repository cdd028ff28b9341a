import Contracts
import Database
import TestKit
import Testing

@testable import Delivery

/// Steps of stories that no row of a service shows.
@Suite struct JourneyTests {
    /// A service whose handler keeps every note as a step of the story that the note names.
    private struct Diary: BareService {
        static let name = ServiceName.orders
        static let schema = Schema("diary", [])

        func register(in table: inout HandlerTable) {
            table.on(NoteV1.self) { event, context in
                context.trace(event, of: event.data.text)
                return .applied
            }
        }
    }

    private let pair: EnginePair
    private let party: EngineParty

    init() throws {
        pair = try EnginePair()
        party = try EngineParty(Diary(), at: pair.clock)
    }

    private func tell(_ story: String) throws {
        _ = try party.engine.handle([.direct(pair.event(NoteV1(text: story)))], at: pair.clock)
        pair.advance(1)
    }

    private func trace(_ identifiers: String...) throws -> Trace {
        try #require(try pair.ask(TraceV1(identifiers: identifiers), of: party)).get()
    }

    @Test func `a step is found by its story, and its story by its event`() throws {
        for story in ["one", "two", "one"] { try tell(story) }
        let one = try trace("one")
        #expect(one.entries.map(\.id) == ["event-1", "event-3"])
        #expect(one.entries.map(\.type) == ["test.note.v1", "test.note.v1"])
        #expect(one.entries.map(\.time.milliseconds) == [1_760_000_000_000, 1_760_000_000_002])
        #expect(one.related == ["one"])
        #expect(try trace("event-2").related == ["two"])
        #expect(try trace("three") == Trace())
    }

    @Test func `a step that is kept twice is there once`() throws {
        let entry = Trace.Entry(time: pair.clock.now, type: "t", id: "e", causationid: "c")
        try party.store.write { connection in
            for _ in 0..<2 {
                try TraceEntryStore(connection: connection).add(.init(subject: "one", entry: entry))
            }
        }
        #expect(try trace("one").entries == [entry])
    }

    @Test func `of an endless story the newest steps are kept`() throws {
        let most = Int(TraceEntryStore.maximumEntries)
        for _ in 0..<(most + 5) { try tell("long") }
        try tell("short")
        let ids = try trace("long").entries.map(\.id)
        #expect(ids == (6...(most + 5)).map { "event-\($0)" })
        #expect(try trace("short").entries.count == 1)
    }

    @Test func `only what may be an event's id is looked for in rows`() {
        #expect(EventSearch.mayFind(IdentifierSource(seed: 1).eventID().rawValue))
        for other in ["", "2000000123456789", "R-1", String(repeating: "G", count: 32)] {
            #expect(!EventSearch.mayFind(other))
        }
    }
}
