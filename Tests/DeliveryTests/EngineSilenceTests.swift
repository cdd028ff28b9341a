import Contracts
import Testing

@testable import Delivery

/// Links whose receivers say nothing.
@Suite struct EngineSilenceTests {
    private static let tickMilliseconds: Int64 = 100

    private let pair: EnginePair

    init() throws { pair = try EnginePair() }

    /// Lets time pass; nothing that Orders says arrives.
    ///
    /// - Returns: its alarms.
    private func pass(_ milliseconds: Int64) throws -> [String] {
        var alarms: [String] = []
        for _ in 0..<milliseconds / Self.tickMilliseconds {
            pair.advance(Self.tickMilliseconds)
            alarms += try pair.orders.engine.handle([.tick], at: pair.clock).alarms.map(\.text)
        }
        return alarms
    }

    private func named() throws -> [PartitionAddress] {
        try #require(try pair.ask(PartitionStatusV1(), of: pair.orders)).get().unansweredLinks
    }

    private func link() throws -> LinkStatus {
        let links = try #require(try pair.ask(LinksListV1(), of: pair.orders)).get()
        return try #require(links.first)
    }

    @Test func `a link without an answer for 10 s is named, with one alarm, until its receiver answers`()
        throws
    {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        _ = try pair.send(["2"])
        #expect(try pass(9_900).isEmpty)
        #expect(try named().isEmpty)
        #expect(try pass(100).isEmpty && named() == [pair.entitlements.address])
        #expect(try link().unansweredMs == 10_000)
        let alarm = "link /orders/0 → /entitlements/0 has no answer"
        #expect(try pass(20_000) == [alarm], "once, with the next attempt")
        try pair.reconnect()
        #expect(try named().isEmpty)
        #expect(try link().unansweredMs == nil)
        #expect(try pair.entitlements.texts() == ["1", "2"])
        _ = try pair.send(["3"])
        #expect(try pass(20_000) == [alarm], "the next silence is told, too")
    }

    @Test func `a receiver that never answered is named, and so is one that was at rest before`() throws {
        _ = try pair.send(["1"])
        #expect(try pass(12_000).count == 1)
        try pair.reconnect()
        #expect(try pass(LinkSender.idleMilliseconds - 100).isEmpty, "nobody owes anything")
        #expect(try named().isEmpty)
        #expect(try pass(12_000).count == 1, "the question after a minute's rest has no answer")
    }

    @Test func `connections that are made again and again without an answer do not hide the silence`() throws
    {
        _ = try pair.send(["1"])
        var alarms: [String] = []
        for _ in 0..<11 {
            alarms += try pass(1_000)
            let connected = PartitionInput.connected(pair.entitlements.address)
            alarms += try pair.orders.engine.handle([connected], at: pair.clock).alarms.map(\.text)
        }
        #expect(alarms.count == 1)
    }

    @Test func `a link that is answered under way is never named, however long something is under way`()
        throws
    {
        try pair.carry(pair.send(["0"]), from: pair.orders)
        var late: [PartitionOutput] = [try pair.send(["1"]), try pair.send(["2"])]
        for text in 3...15 {
            #expect(try pass(1_000).isEmpty)
            late.append(try pair.send([String(text)]))
            try pair.carry(late.removeFirst(), from: pair.orders)
            #expect(try named().isEmpty)
        }
        #expect(pair.alarms.isEmpty)
    }
}
