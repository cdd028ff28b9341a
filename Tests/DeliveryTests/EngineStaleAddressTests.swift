import Contracts
import Testing

@testable import Delivery

/// Where a sender looks for a partition, another one listens.
@Suite struct `a stale address` {
    private let pair: EnginePair
    /// Listens where Orders looks for Entitlements.
    private let stranger: EngineParty

    init() throws {
        pair = try EnginePair()
        stranger = try EngineParty(NoteService<LoopingRole>(), at: pair.clock)
    }

    /// What the stranger says to what Orders says.
    private func stray(_ said: PartitionOutput) throws -> [WireMessage] {
        let inputs = said.linkMessages.flatMap { $0.message.inputs(from: [9]) }
        return try stranger.engine.handle(inputs, at: pair.clock).settles.map(\.message)
    }

    /// What Orders says to words that came from where it looks for Entitlements.
    private func hear(_ words: [WireMessage]) throws -> PartitionOutput {
        let inputs = words.flatMap { $0.inputs(by: pair.entitlements.address) }
        return try pair.orders.engine.handle(inputs, at: pair.clock)
    }

    /// Nothing has come to the stranger, and Orders finds Entitlements after a pause.
    private func expectNothingLost(_ texts: [String], afterWords words: [WireMessage]) throws {
        #expect(words.compactMap(\.header.astray).count == 1)
        #expect(try hear(words).linkMessages.isEmpty, "it pauses")
        for table in ["note", "link_in", "dead_letter", "delayed_event"] {
            #expect(try stranger.count(table) == 0, "\(table)")
        }
        pair.advance(LinkSender.astrayMilliseconds)
        try pair.carry(pair.orders.engine.handle([.tick], at: pair.clock), from: pair.orders)
        #expect(try pair.entitlements.texts() == texts)
        #expect(pair.orders.engine.state.depth == 0)
        #expect(pair.alarms.isEmpty)
    }

    @Test func `takes nothing of a link that begins, and loses nothing`() throws {
        try expectNothingLost(["1", "2"], afterWords: stray(pair.send(["1", "2"])))
    }

    @Test func `takes nothing of what is under way, and loses nothing`() throws {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        let refused = try stray(pair.send(["2"]))
        #expect(refused.compactMap(\.header.refused?.reason) == [.unknownLink])
        try expectNothingLost(["1", "2"], afterWords: stray(hear(refused)))
    }

    /// The negative control of the tests above: every address is the stranger's own.
    @Test func `takes what is meant for another one where nobody looks whom it is to`() throws {
        var said = try pair.send(["1", "2"])
        while !said.linkMessages.isEmpty {
            for index in said.linkMessages.indices {
                said.linkMessages[index].message.header.attach?.to = stranger.address
            }
            said = try hear(stray(said))
        }
        #expect(try stranger.count("note") + stranger.count("dead_letter") == 2)
        #expect(pair.orders.engine.state.depth == 0, "Orders believes that they have taken effect")
        #expect(try pair.entitlements.texts().isEmpty)
    }

    @Test func `is named to the operator when it stays`() throws {
        var words = try stray(pair.send(["1"]))
        var alarms: [String] = []
        for _ in 0...PartitionEngine.unansweredMilliseconds / LinkSender.astrayMilliseconds {
            alarms += try hear(words).alarms.map(\.text)
            pair.advance(LinkSender.astrayMilliseconds)
            let asked = try pair.orders.engine.handle([.tick], at: pair.clock)
            alarms += asked.alarms.map(\.text)
            words = try stray(asked)
        }
        #expect(alarms == ["link /orders/0 → /entitlements/0 has no answer"])
    }

    @Test func `does nothing with a request, and says so`() throws {
        let say = SayV1(to: .entitlements, texts: ["1"])
        let request = try pair.request(say, of: pair.entitlements.address)
        let output = try pair.orders.engine.handle([request], at: pair.clock)
        let reply = try #require(output.replies.first).message
        #expect(reply == WireMessage(WireHeader(reply: .init(id: "q", isAstray: true))))
        #expect(output.linkMessages.isEmpty)
        #expect(try pair.orders.count("outbox") == 0)
    }
}
