import Contracts
import Database
import Testing

@testable import Delivery

@Suite struct `a redrive of a link` {
    private static let rows = 2_000

    let pair: EnginePair

    init() throws {
        pair = try EnginePair()
        try fill(Self.rows)
        try pair.carry(pair.send(["first"]), from: pair.orders)
    }

    /// What the receiver holds when every row was told once.
    private func everything(_ rows: Int = Self.rows) -> [String] {
        ["first", "redriven"] + (1...rows).map { "note \($0)" }
    }

    private func fill(_ rows: Int) throws {
        try pair.orders.store.write { connection in
            for number in 1...rows {
                try connection.execute("INSERT INTO note (text) VALUES (?)", [.text("note \(number)")])
            }
        }
    }

    private func begin() throws {
        let request = LinkResumeV1(to: pair.entitlements.address, redrive: true)
        _ = try #require(try pair.ask(request, of: pair.orders, id: "redrive")).get()
    }

    private func status() throws -> RedriveStatus {
        let links = try #require(try pair.ask(LinksListV1(), of: pair.orders, id: "list")).get()
        return try #require(links.first?.redrive)
    }

    @Test func `goes in pages, and everything else has its turn between them`() throws {
        try begin()
        #expect(try status().rows == 0, "the request itself sends nothing")
        var pages = 0
        while pair.orders.engine.dueRedrive != nil {
            #expect(pair.orders.engine.nextDeadline(at: pair.clock) == pair.clock.uptime)
            let page = try pair.orders.engine.redrive(at: pair.clock)
            pages += 1
            #expect(page.sent.count <= 501)
            try pair.carry(page, from: pair.orders)
            try pair.carry(pair.send(["between \(pages)"]), from: pair.orders)
            #expect(try status().rows == min(pages * 500, Self.rows))
        }
        #expect(pages == 5)
        let texts = try pair.entitlements.texts()
        #expect(texts.filter { !$0.hasPrefix("between") } == everything())
        #expect(texts.filter { $0.hasPrefix("between") }.count == pages)
        let status = try status()
        #expect((status.from, status.to) == (pair.orders.address, pair.entitlements.address))
        #expect(status.finishedAt == pair.clock.now && status.failure == nil)
    }

    @Test func `goes on where it was when its owner is killed between pages`() throws {
        try begin()
        for _ in 0..<3 {
            try pair.carry(pair.orders.engine.redrive(at: pair.clock), from: pair.orders)
            try pair.takeOver(pair.orders)
        }
        #expect(try status().rows == 1_500)
        try pair.redrive(pair.orders)
        #expect(try pair.entitlements.texts() == everything())
        try pair.takeOver(pair.orders)
        #expect(pair.orders.engine.dueRedrive == nil, "what is finished does not begin again")
        #expect(try status().finishedAt != nil)
    }

    @Test func `repeats a page whose commit never came, and nothing that was committed and not said`() throws
    {
        try begin()
        pair.orders.store.fault = .failed("the power")
        #expect(throws: StoreError.failed("the power")) {
            try pair.orders.engine.redrive(at: pair.clock)
        }
        pair.orders.store.fault = nil
        try pair.takeOver(pair.orders)
        #expect(try status().rows == 0)
        // Committed, and its owner dies before a word of it is said.
        _ = try pair.orders.engine.redrive(at: pair.clock)
        try pair.takeOver(pair.orders)
        try pair.redrive(pair.orders)
        #expect(try pair.entitlements.texts() == everything())
    }

    @Test func `does not begin anew because its request is repeated`() throws {
        let request = try pair.request(LinkResumeV1(to: pair.entitlements.address, redrive: true))
        for _ in 0..<3 {
            try pair.carry(pair.orders.engine.handle([request], at: pair.clock), from: pair.orders)
            try pair.carry(pair.orders.engine.redrive(at: pair.clock), from: pair.orders)
        }
        #expect(try status().rows == 1_500)
        try pair.redrive(pair.orders)
        #expect(try pair.entitlements.texts() == everything())
    }

    @Test func `waits while too much of its link is unsettled`() throws {
        try fill(2 * Int(PartitionEngine.redriveDepth))
        try begin()
        pair.entitlements.store.fault = .busy
        while pair.orders.engine.dueRedrive != nil { _ = try pair.orders.engine.redrive(at: pair.clock) }
        let depth = pair.orders.engine.state.depth
        #expect(depth > Int(PartitionEngine.redriveDepth))
        #expect(depth <= Int(PartitionEngine.redriveDepth) + 501)
        #expect(try status().finishedAt == nil)
        pair.entitlements.store.fault = nil
        try pair.takeOver(pair.entitlements)
        try pair.takeOver(pair.orders)
        try pair.redrive(pair.orders)
        #expect(try pair.entitlements.texts().count == Self.rows + 2 * Int(PartitionEngine.redriveDepth) + 2)
    }

    @Test func `stops at a row that cannot be sent, says why, and begins anew when it is asked to`() throws {
        try pair.orders.write("INSERT INTO broken (text) VALUES ('note 700')")
        try begin()
        try pair.redrive(pair.orders)
        let failure = try #require(try status().failure)
        #expect(failure.contains("note 700"))
        #expect(pair.alarms.contains { $0.contains("redrive /orders/0 → /entitlements/0 has stopped") })
        #expect(try status().rows == 500)
        try pair.carry(pair.send(["live"]), from: pair.orders)
        #expect(try pair.entitlements.texts().last == "live", "the link runs on")
        try pair.orders.write("DELETE FROM broken")
        try begin()
        try pair.redrive(pair.orders)
        #expect(try status().rows == Self.rows && status().failure == nil)
    }
}
