import Contracts
import Testing

@testable import Delivery

@Suite struct `Events that nobody waits for` {
    private static let delay: Int64 = 50

    private let pair: EnginePair

    /// A pair whose link is attached, with nothing under way.
    init() throws {
        pair = try EnginePair(lingerMilliseconds: Self.delay)
        try pair.carry(pair.send(["1"]), from: pair.orders)
    }

    /// Lets Orders write notes that can wait, and returns what it says.
    private func write(_ texts: [String]) throws -> PartitionOutput {
        let relay = RelayV1(to: .entitlements, texts: texts, canWait: true)
        return try pair.orders.engine.handle([.direct(pair.event(relay))], at: pair.clock)
    }

    @Test func `are committed at once, and travel together when the first has waited long enough`() throws {
        #expect(try write(["2"]).linkMessages.isEmpty)
        #expect(try pair.orders.count("outbox") == 1)
        #expect(pair.orders.engine.state.depth == 1)
        let due = pair.clock.uptime + Self.delay
        #expect(pair.orders.engine.nextDeadline(at: pair.clock) == due)
        pair.advance(Self.delay - 1)
        #expect(try write(["3"]).linkMessages.isEmpty)
        pair.advance(1)
        let said = try pair.orders.engine.handle([.tick], at: pair.clock)
        #expect(said.linkMessages.map(\.message.body.count) == [2])
        try pair.carry(said, from: pair.orders)
        #expect(try pair.entitlements.texts() == ["1", "2", "3"])
        #expect(pair.orders.engine.state.depth == 0)
    }

    @Test func `travel at once before an urgent one, in their order`() throws {
        #expect(try write(["2"]).linkMessages.isEmpty)
        try pair.carry(pair.send(["3"]), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["1", "2", "3"])
        #expect(pair.orders.engine.state.senders.values.allSatisfy { $0.lingering == nil })
    }

    @Test func `are sent by the next owner when theirs dies before they travel`() throws {
        #expect(try write(["2"]).linkMessages.isEmpty)
        try pair.takeOver(pair.orders)
        #expect(try pair.entitlements.texts() == ["1", "2"])
        try pair.carry(pair.send(["3"]), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["1", "2", "3"])
    }

    @Test func `are numbered anew with the others when a link begins again`() throws {
        #expect(try write(["2"]).linkMessages.isEmpty)
        let resume = LinkResumeV1(to: pair.entitlements.address, redrive: true)
        _ = try pair.ask(resume, of: pair.orders)
        try pair.redrive(pair.orders)
        try pair.carry(pair.send(["3"]), from: pair.orders)
        let texts = try pair.entitlements.texts()
        #expect(texts.filter { $0 != "redriven" }.sorted() == ["1", "2", "3"])
        #expect(pair.orders.engine.state.depth == 0)
    }
}
