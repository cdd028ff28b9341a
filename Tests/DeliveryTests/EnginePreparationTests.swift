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

    private let engine: PartitionEngine
    private let pair: EnginePair

    init() throws {
        let settings = PartitionEngine.Settings(address: PartitionAddress(.orders, 0), partitions: 1)
        let store = try SQLiteDatabase(path: ":memory:")
        engine = PartitionEngine(service: Counting(), settings: settings, store: store)
        pair = try EnginePair()
        _ = try engine.takeOver(at: pair.clock)
    }

    /// The numbers that the handler of an event saw.
    private func numbers(seenBy event: String) throws -> Set<String> {
        let question = try pair.request(TraceV1(identifiers: [event]))
        let output = try engine.handle([question], at: pair.clock)
        return try #require(try pair.answer(to: TraceV1(identifiers: []), in: output)).get().related
    }

    @Test func `all handlers of one batch see what was taken up before it, those of the next one the next`()
        throws
    {
        let first = try (1...3).map { PartitionInput.direct(try pair.event(NoteV1(text: "\($0)"))) }
        _ = try engine.handle(first, at: pair.clock)
        _ = try engine.handle([.direct(pair.event(NoteV1(text: "4")))], at: pair.clock)
        let seen = try (1...4).map { try numbers(seenBy: "event-\($0)") }
        #expect(seen.allSatisfy { $0.count == 1 })
        #expect(seen[0] == seen[1] && seen[1] == seen[2])
        #expect(seen[2] != seen[3])
    }
}
