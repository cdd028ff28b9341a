import Contracts
import Database
import TestKit
import Testing

@testable import Delivery

/// What a service takes up before each batch, such as a new catalog.
@Suite struct EnginePreparationTests {
    /// A service that takes up another number before each batch, and keeps with every note the number that it saw.
    private struct Counting: BareService {
        static let name = ServiceName.orders
        static let schema = Schema("counting", [])

        func register(in table: inout HandlerTable) {
            var number = 0
            table.beforeEachBatch { _ in number += 1 }
            table.on(NoteV1.self) { event, context in
                context.trace(event, of: "number \(number)")
                return .applied
            }
        }
    }

    private let pair: EnginePair
    private let party: EngineParty

    init() throws {
        pair = try EnginePair()
        party = try EngineParty(Counting(), at: pair.clock)
    }

    /// The numbers that the handler of an event saw.
    private func numbers(seenBy event: String) throws -> Set<String> {
        try #require(try pair.ask(TraceV1(identifiers: [event]), of: party)).get().related
    }

    @Test func `all handlers of one batch see what was taken up before it, those of the next one the next`()
        throws
    {
        let first = try (1...3).map { PartitionInput.direct(try pair.event(NoteV1(text: "\($0)"))) }
        _ = try party.engine.handle(first, at: pair.clock)
        _ = try party.engine.handle([.direct(pair.event(NoteV1(text: "4")))], at: pair.clock)
        let seen = try (1...4).map { try numbers(seenBy: "event-\($0)") }
        #expect(seen.allSatisfy { $0.count == 1 })
        #expect(seen[0] == seen[1] && seen[1] == seen[2])
        #expect(seen[2] != seen[3])
    }
}
