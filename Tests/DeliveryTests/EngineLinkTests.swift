import Contracts
import Database
import Testing

@testable import Delivery

@Suite struct EngineLinkTests {
    private let pair: EnginePair

    init() throws { pair = try EnginePair() }

    @Test func `what is sent takes effect once, in order, and is settled`() throws {
        try pair.carry(pair.send(["1", "2", "3"]), from: pair.orders)
        try pair.carry(pair.send(["4"]), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["1", "2", "3", "4"])
        #expect(pair.orders.engine.state.depth == 0)
        #expect(pair.alarms.isEmpty)
    }

    @Test func `deliveries that are repeated, late or out of order change nothing`() throws {
        let first = try pair.send(["1"])
        try pair.carry(first, from: pair.orders)
        let second = try pair.send(["2"]).linkMessages.map(\.message)
        let third = try pair.send(["3"]).linkMessages.map(\.message)
        let receiver = pair.entitlements
        let connection = pair.orders.connection(to: receiver)
        func arrive(_ messages: [WireMessage]) throws -> PartitionOutput {
            try receiver.engine.handle(messages.flatMap { $0.inputs(from: connection) }, at: pair.clock)
        }
        let gap = try arrive(third + third)
        #expect(gap.settles.compactMap(\.message.header.refused?.reason) == [.gap])
        #expect(try receiver.texts() == ["1"])
        _ = try arrive(second)
        let repeated = try arrive(pair.forth.filter { $0.header.delivery != nil } + second + second)
        #expect(repeated.settles.compactMap(\.message.header.settled?.last) == [2])
        _ = try arrive(third + second + third)
        #expect(try receiver.texts() == ["1", "2", "3"])
    }

    @Test func `after a gap the sender goes back and nothing is missing`() throws {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        _ = try pair.send(["2"])  // lost on the wire
        try pair.carry(pair.send(["3"]), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["1", "2", "3"])
        #expect(pair.orders.engine.state.depth == 0)
    }

    @Test func `what is lost on the wire is sent again after a silence`() throws {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        _ = try pair.send(["2"])
        pair.advance(LinkSender.firstSilenceMilliseconds)
        try pair.carry(pair.orders.engine.handle([.tick], at: pair.clock), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["1", "2"])
    }

    @Test func `a new owner counts one epoch more and refuses frames meant for the dead one`() throws {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        let frames = try pair.send(["2"]).linkMessages.map(\.message)
        let receiver = pair.entitlements
        let epoch = receiver.engine.epoch
        try receiver.replace(at: pair.clock)
        #expect(receiver.engine.epoch == epoch + 1)
        let connection = pair.orders.connection(to: receiver)
        let inputs = frames.flatMap { $0.inputs(from: connection) }
        let output = try receiver.engine.handle(inputs, at: pair.clock)
        #expect(output.settles.compactMap(\.message.header.refused?.reason) == [.unknownLink])
        #expect(try receiver.texts() == ["1"])
        try pair.carry(output, from: receiver)
        #expect(try receiver.texts() == ["1", "2"])
        #expect(pair.orders.engine.state.depth == 0)
    }

    @Test func `a link number of another connection is unknown`() throws {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        let frames = try pair.send(["2"]).linkMessages.map(\.message)
        let inputs = frames.flatMap { $0.inputs(from: Array("stranger".utf8)) }
        let output = try pair.entitlements.engine.handle(inputs, at: pair.clock)
        #expect(output.settles.compactMap(\.message.header.refused?.reason) == [.unknownLink])
        #expect(try pair.entitlements.texts() == ["1"])
    }

    @Test func `a new owner of the sender sends what its predecessor had only committed`() throws {
        _ = try pair.send(["1", "2"])
        try pair.takeOver(pair.orders)
        #expect(pair.orders.engine.epoch == 2)
        #expect(try pair.entitlements.texts() == ["1", "2"])
        try pair.takeOver(pair.orders)
        try pair.takeOver(pair.entitlements)
        try pair.reconnect()
        #expect(try pair.entitlements.texts() == ["1", "2"])
    }

    @Test func `settled rows are deleted in the next transaction that writes`() throws {
        try pair.carry(pair.send(["1", "2"]), from: pair.orders)
        #expect(try pair.orders.count("outbox") == 2)
        _ = try pair.send(["3"])
        #expect(try pair.orders.count("outbox") == 1)
        #expect(try pair.orders.count("link_out", "settled = 2") == 1)
    }

    @Test func `settled rows are deleted after 100 ms in which nothing else happens`() throws {
        try pair.carry(pair.send(["1", "2"]), from: pair.orders)
        let due = try #require(pair.orders.engine.nextDeadline(at: pair.clock))
        #expect(due == pair.clock.uptime + PartitionEngine.settleIdleMilliseconds)
        pair.advance(PartitionEngine.settleIdleMilliseconds - 1)
        _ = try pair.orders.engine.handle([.tick], at: pair.clock)
        #expect(try pair.orders.count("outbox") == 2)
        pair.advance(1)
        _ = try pair.orders.engine.handle([.tick], at: pair.clock)
        #expect(try pair.orders.count("outbox") == 0)
        #expect(try pair.orders.count("link_out", "settled = 2") == 1)
    }

    @Test func `rows whose settlement was heard but not written survive a death without a second effect`()
        throws
    {
        try pair.carry(pair.send(["1", "2"]), from: pair.orders)
        try pair.takeOver(pair.orders)
        #expect(try pair.entitlements.texts() == ["1", "2"])
        #expect(pair.orders.engine.state.depth == 0)
        #expect(pair.alarms.isEmpty)
    }

    @Test func `one message carries no more than the wire takes`() throws {
        try pair.carry(pair.send((0..<300).map(String.init)), from: pair.orders)
        try pair.carry(pair.send((300..<310).map(String.init), filler: 60_000), from: pair.orders)
        #expect(try pair.entitlements.texts() == (0..<310).map(String.init))
        let sizes = pair.forth.map { $0.body.reduce(0) { $0 + $1.count } }
        #expect(sizes.allSatisfy { $0 < WireMessage.maximumLinkBytes - 1_024 })
        #expect(pair.forth.allSatisfy { $0.body.count <= 128 })
    }

    @Test func `a service sends to no service that it has no link to`() throws {
        let relay = RelayV1(to: .orders, texts: ["1"])
        #expect(throws: StoreError.self) { try pair.tell(pair.orders, [pair.event(relay)]) }
        #expect(try pair.orders.count("outbox") == 0)
    }
}
