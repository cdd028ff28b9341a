import Contracts
import Database
import Testing

@testable import Delivery

@Suite struct `Events to the own partition` {
    private let party: EngineParty
    private let events: EnginePair

    init() throws {
        // Only makes events and keeps the time.
        events = try EnginePair()
        party = try EngineParty(NoteService<LoopingRole>(), at: events.clock)
        try leave()
    }

    /// Ends the owner politely, so that the next one runs no event alone.
    private func leave() throws {
        try party.engine.leave()
        try party.replace(at: events.clock)
    }

    private func relay(_ texts: [String]) throws -> PartitionInput {
        .direct(try events.event(RelayV1(to: .receipts, texts: texts)))
    }

    @Test func `take effect in the transaction that sends them, without a link`() throws {
        let commits = party.store.commits
        let said = try party.engine.handle([relay(["1", "2"]), relay(["3"])], at: events.clock)
        #expect(party.store.commits == commits + 1)
        #expect(said.linkMessages.isEmpty)
        #expect(try party.texts() == ["1", "2", "3"])
        #expect(try party.count("outbox") == 0)
    }

    @Test func `wake those who wait for their effect`() throws {
        let wait = try events.request(NotesV1(atLeast: 1), of: party.address)
        #expect(try party.engine.handle([wait], at: events.clock).replies.isEmpty)
        #expect(try party.engine.handle([relay(["1"])], at: events.clock).replies.count == 1)
    }

    @Test func `have no effect when the transaction fails, and one when it is repeated`() throws {
        let input = try relay(["1"])
        party.store.fault = .full
        #expect(throws: StoreError.full) { try party.engine.handle([input], at: events.clock) }
        party.store.fault = nil
        #expect(try party.texts().isEmpty)
        _ = try party.engine.handle([input], at: events.clock)
        #expect(try party.texts() == ["1"])
    }

    @Test func `are delayed when their handler throws, and what sent them and the others take effect`() throws
    {
        try party.write("INSERT INTO broken (text) VALUES ('2')")
        _ = try party.engine.handle([relay(["1", "2"]), relay(["3"])], at: events.clock)
        #expect(try party.texts() == ["1"])
        // 3 has the subject of 2 and waits behind it.
        #expect(try party.count("delayed_event") == 2)
        try party.write("DELETE FROM broken")
        for _ in 0..<2 {
            let due = try #require(party.engine.state.delayed.values.min())
            events.advance(max(0, due.milliseconds - events.clock.now.milliseconds))
            _ = try party.engine.retryDelayed(at: events.clock)
        }
        #expect(try party.texts() == ["1", "2", "3"])
    }

    @Test func `take the link after a death, so that only what ends the process is suspected`() throws {
        try party.replace(at: events.clock)
        _ = try party.engine.handle([relay(["1"])], at: events.clock)
        #expect(try party.texts().isEmpty)
        #expect(try party.count("outbox") == 1)
    }

    /// Lets the partition hear what it says to itself.
    private func inputs(of said: PartitionOutput) -> [PartitionInput] {
        let connection = party.connection(to: party)
        return said.linkMessages.flatMap { $0.message.inputs(from: connection) }
            + said.settles.flatMap { $0.message.inputs(by: party.address) }
    }

    private func hear(_ said: PartitionOutput) throws -> PartitionOutput {
        try party.engine.handle(inputs(of: said), at: events.clock)
    }

    @Test func `do not overtake one of their batch that waits, when the link becomes free`() throws {
        try party.replace(at: events.clock)
        _ = try party.engine.handle([relay(["1"])], at: events.clock)
        try party.engine.leave()
        let attached = try hear(party.replace(at: events.clock))
        let settled = try hear(hear(attached))
        #expect(try party.texts() == ["1"])
        #expect(party.engine.state.depth == 1)
        let batch = try [relay(["2"])] + inputs(of: settled) + [relay(["3"])]
        var said = try party.engine.handle(batch, at: events.clock)
        while !inputs(of: said).isEmpty { said = try hear(said) }
        #expect(try party.texts() == ["1", "2", "3"])
    }

    @Test func `wait behind older ones that are still on the link`() throws {
        try party.replace(at: events.clock)
        _ = try party.engine.handle([relay(["1"])], at: events.clock)
        try leave()
        _ = try party.engine.handle([relay(["2"])], at: events.clock)
        #expect(try party.texts().isEmpty)
        #expect(try party.count("outbox") == 2)
    }
}
