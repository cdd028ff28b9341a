import Contracts
import Testing

@testable import Delivery

@Suite struct EngineBrakeTests {
    private static let answers = LinkFrame.Attach(
        from: PartitionAddress(.orders, 0),
        to: PartitionAddress(.entitlements, 0),
        incarnation: "a",
        attempt: 1,
        settled: 0,
        next: 1
    )

    /// What a link from `service` is granted by Notifications-like credit rules of this engine.
    private func credit(_ pair: EnginePair, from service: ServiceName, _ party: EngineParty) throws -> UInt64?
    {
        var attach = Self.answers
        (attach.from, attach.to) = (PartitionAddress(service, 1), party.address)
        let input = PartitionInput.attach(attach, connection: [9])
        let output = try party.engine.handle([input], at: pair.clock)
        return output.settles.first?.message.header.attached?.credit
    }

    /// Fills the outbox of a party up to its bound, with the receiver silent.
    private func fill(_ party: EngineParty, of pair: EnginePair) throws {
        let texts = Array(repeating: "x", count: PartitionEngine.outboxBound / 10)
        let relay = RelayV1(to: pair.other(party).address.service, texts: texts)
        let events = try (0..<10).map { _ in try pair.event(relay) }
        _ = try party.engine.handle(events.map(PartitionInput.direct), at: pair.clock)
        #expect(party.engine.state.depth == PartitionEngine.outboxBound)
    }

    @Test func `a full outbox refuses the edge, brakes forward links, and nothing else`() throws {
        let pair = try EnginePair()
        try pair.carry(pair.send(["1"]), from: pair.orders)
        #expect(try credit(pair, from: .orders, pair.entitlements) == PartitionEngine.creditEvents)
        try fill(pair.entitlements, of: pair)
        let busy = try pair.ask(SayV1(to: .orders, texts: ["x"]), of: pair.entitlements)
        #expect(throws: RequestRefusal(.busy, "too much is unsettled; try again")) { try busy?.get() }
        let status = try #require(try pair.ask(PartitionStatusV1(), of: pair.entitlements, id: "s")).get()
        #expect(status.outbox == PartitionEngine.outboxBound)
        #expect(try credit(pair, from: .orders, pair.entitlements) == 0)
        let inputs = try pair.inputs(of: pair.send(["2"]), from: pair.orders, to: pair.entitlements)
        let output = try pair.entitlements.engine.handle(inputs, at: pair.clock)
        let settled = try #require(output.settles.compactMap(\.message.header.settled).first)
        #expect((settled.last, settled.credit) == (2, 0), "what is under way is still taken")
        try release(pair)
    }

    /// Settles what fills the outbox; the credit comes back by itself, and the edge is served again.
    private func release(_ pair: EnginePair) throws {
        let target = pair.orders.address
        pair.advance(LinkSender.firstSilenceMilliseconds)
        let attaches = try pair.entitlements.engine.handle([.tick], at: pair.clock).linkMessages
        let attempt = try #require(attaches.compactMap(\.message.header.attach).last?.attempt)
        let attached = LinkFrame.Attached(
            attempt: attempt,
            link: 7,
            epoch: 1,
            last: 1,
            lastEventId: nil,
            credit: 0
        )
        let answer = PartitionInput.attached(attached, by: target)
        let output = try pair.entitlements.engine.handle([answer], at: pair.clock)
        let credits = output.settles.compactMap(\.message.header.settled?.credit)
        #expect(credits.contains(PartitionEngine.creditEvents), "given back without being asked")
        let said = try pair.ask(SayV1(to: .notifications, texts: []), of: pair.entitlements, id: "after")
        #expect(try said?.get() == Said(count: 0))
    }

    @Test func `an answer link always has credit`() throws {
        let pair = try EnginePair()
        try fill(pair.orders, of: pair)
        #expect(try credit(pair, from: .entitlements, pair.orders) == PartitionEngine.creditEvents)
        #expect(try credit(pair, from: .receipts, pair.orders) == 0)
    }
}
