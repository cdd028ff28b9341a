import Contracts
import Testing

@testable import Delivery

@Suite struct EngineWaitTests {
    private let pair: EnginePair

    init() throws { pair = try EnginePair() }

    @Test func `one who waits is answered by the commit that brings what was waited for`() throws {
        let question = NotesV1(atLeast: 2)
        #expect(try pair.ask(question, of: pair.entitlements) == nil)
        let first = try pair.tell(pair.entitlements, [pair.event(NoteV1(text: "1"))])
        #expect(try pair.answer(to: question, in: first) == nil, "one is not enough")
        let second = try pair.tell(pair.entitlements, [pair.event(NoteV1(text: "2"))])
        #expect(try pair.answer(to: question, in: second)?.get() == Notes(texts: ["1", "2"]))
        #expect(pair.entitlements.engine.state.waitCount == 0)
        #expect(pair.entitlements.engine.state.waits.isEmpty)
    }

    @Test func `at the deadline one who waits is told what was known`() throws {
        let question = NotesV1(atLeast: 1, until: pair.clock.now.advanced(by: 1_000))
        #expect(try pair.ask(question, of: pair.entitlements) == nil)
        #expect(pair.entitlements.engine.nextDeadline(at: pair.clock) == pair.clock.uptime + 1_000)
        pair.advance(999)
        let early = try pair.entitlements.engine.handle([.tick], at: pair.clock)
        #expect(early.replies.isEmpty)
        pair.advance(1)
        let late = try pair.entitlements.engine.handle([.tick], at: pair.clock)
        #expect(try pair.answer(to: question, in: late)?.get() == Notes(texts: []))
        #expect(pair.entitlements.engine.state.waitCount == 0)
    }

    @Test func `the answer leaves while it is of use to the one who asked`() throws {
        #expect(try pair.ask(NotesV1(atLeast: 1), of: pair.entitlements, within: 500) == nil)
        let patience = 500 - PartitionEngine.replyMilliseconds
        #expect(pair.entitlements.engine.nextDeadline(at: pair.clock) == pair.clock.uptime + patience)
    }

    @Test func `a question that is repeated keeps its time and is answered once`() throws {
        let question = NotesV1(atLeast: 1, until: pair.clock.now.advanced(by: 1_000))
        let end = pair.clock.uptime + 1_000
        #expect(try pair.ask(question, of: pair.entitlements) == nil)
        pair.advance(400)
        let again = NotesV1(atLeast: 1, until: pair.clock.now.advanced(by: 60_000))
        #expect(try pair.ask(again, of: pair.entitlements) == nil)
        #expect(pair.entitlements.engine.nextDeadline(at: pair.clock) == end)
        #expect(pair.entitlements.engine.state.waitCount == 1)
        pair.advance(600)
        let output = try pair.entitlements.engine.handle([.tick], at: pair.clock)
        #expect(output.replies.count == 1)
    }

    @Test func `a jump of the wall clock ends no wait`() throws {
        #expect(try pair.ask(NotesV1(atLeast: 1), of: pair.entitlements) == nil)
        pair.clock.now = pair.clock.now.advanced(by: 86_400_000)
        #expect(try pair.entitlements.engine.handle([.tick], at: pair.clock).replies.isEmpty)
    }

    @Test func `above the bound those who would wait are told to try again`() throws {
        let bound = PartitionEngine.waitBound
        let address = pair.entitlements.address
        let requests = try (0...bound).map { number in
            try pair.request(NotesV1(atLeast: 1), of: address, id: "\(number)")
        }
        let output = try pair.entitlements.engine.handle(requests, at: pair.clock)
        #expect(output.replies.map(\.message.header.reply?.id) == ["\(bound)"])
        #expect(output.replies.map(\.message.header.reply?.refused?.code) == [.busy])
        #expect(pair.entitlements.engine.state.waitCount == bound)
        let again = try pair.request(NotesV1(atLeast: 1), of: address, id: "7")
        #expect(try pair.entitlements.engine.handle([again], at: pair.clock).replies.isEmpty)
        let woken = try pair.tell(pair.entitlements, [pair.event(NoteV1(text: "1"))])
        #expect(woken.replies.count == bound)
        #expect(pair.entitlements.engine.state.waitCount == 0)
    }

    @Test func `a wait whose handler throws is answered, and the others are too`() throws {
        try pair.entitlements.write("INSERT INTO broken (text) VALUES ('answer')")
        #expect(try pair.ask(NotesV1(atLeast: 1), of: pair.entitlements, id: "a") == nil)
        #expect(try pair.ask(NotesV1(atLeast: 2), of: pair.entitlements, id: "b") == nil)
        let output = try pair.tell(pair.entitlements, [pair.event(NoteV1(text: "1"))])
        #expect(try pair.entitlements.texts() == ["1"], "the note has nothing to do with it")
        #expect(try pair.answer(to: NotesV1(atLeast: 1), in: output, id: "a")?.get() == Notes(texts: []))
        #expect(pair.entitlements.engine.state.waitCount == 1)
    }

    @Test func `who leaves says what was known to those who wait`() throws {
        let question = NotesV1(atLeast: 1)
        #expect(try pair.ask(question, of: pair.entitlements, id: "a") == nil)
        #expect(try pair.ask(question, of: pair.entitlements, id: "b") == nil)
        let drained = pair.entitlements.engine.drain()
        #expect(Set(drained.replies.compactMap(\.message.header.reply?.id)) == ["a", "b"])
        #expect(try pair.answer(to: question, in: drained, id: "a")?.get() == Notes(texts: []))
        #expect(pair.entitlements.engine.drain().replies.isEmpty)
    }

    @Test func `the status says what the partition has in hand`() throws {
        _ = try pair.send(["1", "2"])
        pair.advance(70)
        let status = try #require(try pair.ask(PartitionStatusV1(), of: pair.orders)).get()
        #expect((status.service, status.partition, status.epoch) == (.orders, 0, 1))
        #expect((status.outbox, status.oldestUnsettledMs) == (2, 70))
        #expect((status.delayed, status.deadLetters, status.quarantinedLinks) == (0, 0, 0))
        #expect(status.gauges == ["notes": 0])
        let trace = try #require(try pair.ask(TraceV1(identifiers: ["x"]), of: pair.orders, id: "t")).get()
        #expect(trace.related == ["x"])
    }
}
