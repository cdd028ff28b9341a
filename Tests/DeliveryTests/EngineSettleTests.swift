import Testing

@testable import Delivery

@Suite struct `A receiver that takes its time to settle` {
    private static let delay: Int64 = 20

    private let pair: EnginePair

    /// A pair whose link is attached, with nothing under way.
    init() throws {
        pair = try EnginePair(settleDelayMilliseconds: Self.delay)
        try pair.carry(pair.send(["1"]), from: pair.orders)
        pair.advance(Self.delay)
        try pair.carry(pair.entitlements.engine.handle([.tick], at: pair.clock), from: pair.entitlements)
        #expect(pair.orders.engine.state.depth == 0)
    }

    private static func settled(_ output: PartitionOutput) -> [UInt64] {
        output.settles.compactMap(\.message.header.settled?.last)
    }

    private func take(_ texts: [String]) throws -> PartitionOutput {
        let inputs = try pair.inputs(of: pair.send(texts), from: pair.orders, to: pair.entitlements)
        return try pair.entitlements.engine.handle(inputs, at: pair.clock)
    }

    @Test func `says once for all batches how far it has come, when the first has waited long enough`() throws
    {
        #expect(try Self.settled(take(["2"])).isEmpty)
        let due = pair.clock.uptime + Self.delay
        #expect(pair.entitlements.engine.nextDeadline(at: pair.clock) == due)
        pair.advance(Self.delay - 1)
        #expect(try Self.settled(take(["3"])).isEmpty)
        pair.advance(1)
        let said = try pair.entitlements.engine.handle([.tick], at: pair.clock)
        #expect(Self.settled(said) == [3])
        try pair.carry(said, from: pair.entitlements)
        #expect(pair.orders.engine.state.depth == 0)
        #expect(try pair.entitlements.engine.handle([.tick], at: pair.clock).settles.isEmpty)
    }

    @Test func `says it at once after so many events that a sender's window might fill up`() throws {
        let most = PartitionEngine.settleEvents
        #expect(UInt64(most) < PartitionEngine.creditEvents)
        let texts = (0..<most).map { "n\($0)" }
        #expect(try Self.settled(take(texts)) == [UInt64(most) + 1])
    }

    @Test func `says it at once to a sender that repeats itself`() throws {
        let said = try pair.send(["2"])
        let inputs = pair.inputs(of: said, from: pair.orders, to: pair.entitlements)
        #expect(try Self.settled(pair.entitlements.engine.handle(inputs, at: pair.clock)).isEmpty)
        #expect(try Self.settled(pair.entitlements.engine.handle(inputs, at: pair.clock)) == [2])
    }

    @Test func `that dies before it has said anything is told again, and applies nothing twice`() throws {
        _ = try take(["2"])
        try pair.entitlements.replace(at: pair.clock)
        try pair.reconnect()
        #expect(try pair.entitlements.texts() == ["1", "2"])
        #expect(pair.orders.engine.state.depth == 0)
    }
}
