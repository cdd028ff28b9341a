import Contracts
import Database
import Testing

@testable import Delivery

@Suite struct `what handlers count` {
    let pair: EnginePair

    init() throws { pair = try EnginePair() }

    private var counted: Int? {
        let engine = pair.entitlements.engine
        return engine.counters.named(with: engine.store.counts)["notes"]
    }

    /// How many messages of the type were handled.
    private var taken: Int? { handled?.messages }

    private var handled: HandledCount? { pair.entitlements.engine.counters.messages[NoteV1.type.rawValue] }

    private func keep(_ texts: String...) throws {
        let inputs = try texts.map { PartitionInput.direct(try pair.event(NoteV1(text: $0), subject: $0)) }
        _ = try pair.entitlements.engine.handle(inputs, at: pair.clock)
    }

    @Test func `begins at 0, so that the first is seen, and with each owner again`() throws {
        #expect(counted == 0)
        try keep("a", "b")
        try keep("c")
        #expect(counted == 3)
        try pair.entitlements.replace(at: pair.clock)
        #expect(counted == 0)
    }

    @Test func `has the alarms of each kind, from 0 on`() {
        var counters = PartitionCounters()
        var output = PartitionOutput()
        output.alarms = [Alarm(.workFailing, "a"), Alarm(.deadLetter, "b"), Alarm(.workFailing, "c")]
        counters.count(1, output, took: .zero, nil)
        let alarms = counters.alarms
        #expect(alarms.count == AlarmKind.allCases.count)
        #expect(alarms.filter { $0.value > 0 } == ["work_failing": 2, "dead_letter": 1])
    }

    @Test func `has the time of the handlers, which grows with each message`() throws {
        try keep("a")
        let first = try #require(handled)
        try keep("b", "c")
        let all = try #require(handled)
        #expect(first.time > .zero && all.time > first.time)
        #expect(all.messages == 3)
    }

    @Test func `counts nothing that is rolled back, and once what the batch runs again`() throws {
        try pair.entitlements.write("INSERT INTO broken (text) VALUES ('b')")
        try keep("a", "b", "c")
        #expect(counted == 2 && taken == 2)
        pair.entitlements.store.fault = .full
        #expect(throws: StoreError.full) { try keep("d") }
        #expect(counted == 2 && taken == 2)
    }
}
