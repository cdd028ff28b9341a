import Contracts
import Database
import Testing

@testable import Delivery

@Suite struct EngineDeathTests {
    private let pair: EnginePair

    init() throws { pair = try EnginePair() }

    /// Lets a fresh owner take the partition and die, with the note `deadly` alone in hand and nothing committed.
    private func die(_ pair: EnginePair, with event: [UInt8]) throws {
        try pair.entitlements.replace(at: pair.clock)
        let store = pair.entitlements.store
        // The suspect is noted in a commit of its own; the next transaction is the one that never ends.
        let suspected = store.commits + 1
        store.failAfter(commits: suspected, with: .failed("killed"))
        #expect(throws: StoreError.failed("killed")) {
            try pair.entitlements.engine.handle([.direct(event)], at: pair.clock)
        }
        store.fault = nil
    }

    @Test(arguments: [PartitionEngine.suspectDeaths, PartitionEngine.suspectDeaths - 1])
    func
        `an event alone in hand at five deaths is dead-lettered, one that survived four takes effect, the next flows`(
            _ deaths: Int
        ) throws
    {
        let isDeadly = deaths == PartitionEngine.suspectDeaths
        let event = try pair.event(NoteV1(text: "1"))
        for death in 1...deaths {
            try die(pair, with: event)
            #expect(try pair.entitlements.count("suspect", "deaths = \(death)") == 1)
        }
        try pair.takeOver(pair.entitlements)
        try pair.tell(pair.entitlements, [event, pair.event(NoteV1(text: "2"))])
        #expect(try pair.entitlements.texts() == (isDeadly ? ["2"] : ["1", "2"]))
        let letters = try pair.entitlements.count("dead_letter", "reason LIKE 'the process ended%'")
        #expect(letters == (isDeadly ? 1 : 0))
        #expect(try pair.entitlements.count("suspect") == 0)
    }

    @Test func `after an unclean end the first events are run one at a time, then in batches again`() throws {
        try pair.takeOver(pair.entitlements)
        let commits = pair.entitlements.store.commits
        let first = try (0..<3).map { try pair.event(NoteV1(text: "\($0)")) }
        try pair.tell(pair.entitlements, first)
        #expect(pair.entitlements.store.commits == commits + 6, "each with its own note as suspect")
        for _ in 3..<PartitionEngine.cautiousEvents {
            try pair.tell(pair.entitlements, [pair.event(NoteV1(text: "x"))])
        }
        let calm = pair.entitlements.store.commits
        try pair.tell(pair.entitlements, [pair.event(NoteV1(text: "y")), pair.event(NoteV1(text: "z"))])
        #expect(pair.entitlements.store.commits == calm + 1)
    }

    @Test func `after a polite end nothing is counted and events share a transaction`() throws {
        try pair.entitlements.engine.leave()
        try pair.takeOver(pair.entitlements)
        let commits = pair.entitlements.store.commits
        try pair.tell(pair.entitlements, [pair.event(NoteV1(text: "1")), pair.event(NoteV1(text: "2"))])
        #expect(pair.entitlements.store.commits == commits + 1)
        #expect(try pair.entitlements.count("suspect") == 0)
    }

    @Test func `what cannot be accepted now is said by its cause`() throws {
        let full = try #require(StoreError.full.pause)
        #expect(full.line.hasPrefix("The disk is full or busy"))
        let unproven = try #require(StoreError.unproven.pause)
        #expect(unproven.line.hasPrefix("The commit log does not answer, and the lease has run out"))
        #expect(!unproven.answer.contains("store"))
        #expect(StoreError.failed("read").pause == nil)
    }

    @Test(arguments: [StoreError.full, .busy, .unproven])
    func `a store without room takes nothing, says nothing and counts nothing`(_ fault: StoreError) throws {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        let output = try pair.send(["2"])
        let inputs = pair.inputs(of: output, from: pair.orders, to: pair.entitlements)
        pair.entitlements.store.fault = fault
        for _ in 0..<20 {
            #expect(throws: fault) { try pair.entitlements.engine.handle(inputs, at: pair.clock) }
        }
        pair.entitlements.store.fault = nil
        #expect(try pair.entitlements.texts() == ["1"])
        #expect(try pair.entitlements.count("delayed_event") == 0)
        #expect(try pair.entitlements.count("dead_letter") == 0)
        let late = try pair.entitlements.engine.handle(inputs, at: pair.clock)
        #expect(late.settles.compactMap(\.message.header.settled?.last) == [2])
        #expect(try pair.entitlements.texts() == ["1", "2"])
    }

    @Test func `a full store in a cautious life dead-letters nobody, however often the event is tried`()
        throws
    {
        try pair.takeOver(pair.entitlements)
        let event = try pair.event(NoteV1(text: "1"))
        let store = pair.entitlements.store
        store.failAfter(commits: store.commits + 1, with: .full)
        for _ in 0..<20 {
            #expect(throws: StoreError.full) {
                try pair.entitlements.engine.handle([.direct(event)], at: pair.clock)
            }
        }
        store.fault = nil
        #expect(try pair.entitlements.count("suspect", "deaths = 1") == 1)
        try pair.tell(pair.entitlements, [event])
        #expect(try pair.entitlements.texts() == ["1"])
    }

    @Test func `work that a cautious batch took in hand is not lost when the store has no room for the rest`()
        throws
    {
        let pair = try EnginePair(orders: .init(worker: JobWorker()))
        try pair.takeOver(pair.orders)
        let jobs = try pair.event(JobsV1(keys: ["a"]))
        let store = pair.orders.store
        store.failAfter(commits: store.commits + 3, with: .full)
        let relay = try pair.event(RelayV1(to: .entitlements, texts: ["1"]))
        let output = try pair.orders.engine.handle([.direct(jobs), .direct(relay)], at: pair.clock)
        #expect(output.work.map(\.key) == ["a"])
        store.fault = nil
        #expect(try pair.orders.count("outbox") == 0)
    }

    @Test(arguments: [StoreError.full, .busy, .failed("read")])
    func `a store that fails inside a handler is not the event's fault`(_ fault: StoreError) throws {
        let event = try pair.event(NoteV1(text: "1"))
        pair.entitlements.store.faultInside = fault
        #expect(throws: fault) { try pair.entitlements.engine.handle([.direct(event)], at: pair.clock) }
        pair.entitlements.store.faultInside = nil
        #expect(try pair.entitlements.count("delayed_event") == 0)
        try pair.tell(pair.entitlements, [event])
        #expect(try pair.entitlements.texts() == ["1"])
    }

    @Test func `a constraint that a handler breaks is the event's fault`() throws {
        pair.entitlements.store.faultInside = .constraint("unique")
        try pair.tell(pair.entitlements, [pair.event(NoteV1(text: "1"))])
        #expect(try pair.entitlements.count("delayed_event") == 1)
    }
}
