import Contracts
import Delivery
import Domain
import TestKit
import Testing

@testable import Orders

@Suite struct `a phone's steps` {
    private static let start = Timestamp(milliseconds: 1_760_000_000_000)

    let orders = OrdersHarness()
    let id: OrderID

    init() throws { id = try orders.issue().orderId }

    private static func step(
        _ second: Int64 = 0,
        _ step: StepLogEntry.Step = .asked,
        _ code: String? = nil,
        _ domain: String? = nil
    ) -> StepLogEntry {
        StepLogEntry(at: start.advanced(by: second * 1_000), step: step, code: code, domain: domain)
    }

    private func log(
        _ entries: [StepLogEntry],
        app: BundleID = .game,
        of buyer: BuyerID? = nil
    ) throws -> RequestOutcome<[StepLogEntry]> {
        let request = OrderLogV1(bundleId: app, orderId: id, entries: entries, buyerId: buyer)
        return try orders.handle(request, OnOrderLog().callAsFunction)
    }

    private func steps() throws -> Int { try orders.rows("SELECT * FROM order_step").count }

    @Test func `are kept in the order in which they come, and twice is once`() throws {
        let first = [Self.step(1, .ordered), Self.step(2, .failed, "2", "SKErrorDomain")]
        let second = [first[1], Self.step(0, .cancelled)]
        #expect(try log(first).reply == first)
        #expect(try log(first).reply == first)
        for buyer in [nil, BuyerID.ada] {
            #expect(try log(second, of: buyer).reply == first + [second[1]])
        }
        #expect(try steps() == 3)
    }

    @Test func `of every kind are kept as they came, whatever the texts hold`() throws {
        let text = "\u{202E}a\n\u{0}\u{1B}[2J☃"
        let entries = StepLogEntry.Step.allCases.enumerated().map { Self.step(Int64($0), $1, text, text) }
        #expect(try log(entries).reply == entries)
        #expect(try log([]).reply == entries)
    }

    @Test func `beyond 64 are left out, and those before them stay`() throws {
        let many = (0..<64).map { Self.step($0) }
        #expect(try log(Array(many[..<63])).reply?.count == 63)
        for _ in 0..<2 { #expect(try log([Self.step(-1), Self.step(-2)]).reply?.count == 64) }
        #expect(try log(many).reply == Array(many[..<63]) + [Self.step(-1)])
    }

    @Test func `have 8 KiB, and a short one finds the room that a long one does not`() throws {
        let long = String(repeating: "\u{1F600}", count: Limits.stepTextCharacters)
        let entries = (0..<9).map { Self.step($0, .failed, long) }
        let kept = try #require(try log(entries).reply)
        #expect(kept == Array(entries[..<7]))
        let bytes = kept.reduce(0) { $0 + ($1.code?.utf8.count ?? 0) }
        #expect(bytes <= Limits.stepLogBytes && bytes + long.utf8.count > Limits.stepLogBytes - 7 * 32)
        #expect(try log([Self.step(9)]).reply?.last == Self.step(9))
        #expect(try log(entries).reply?.count == 8)
    }

    @Test func `leave no trace where they are refused`() throws {
        let long = String(repeating: "x", count: Limits.stepTextCharacters + 1)
        #expect(try log([Self.step()], app: .otherApp).refusal == .noSuchOrder)
        #expect(try log([Self.step()], of: BuyerID(unchecked: "eve")).refusal == .noSuchOrder)
        #expect(try log([Self.step(), Self.step(1, .failed, long)]).refusal?.field == "code")
        #expect(try log([Self.step(), Self.step(1, .failed, nil, long)]).refusal?.field == "domain")
        #expect(try log((0..<65).map { Self.step($0) }).refusal?.field == "entries")
        for moment in [Int64.min, -1, 253_402_300_800_000, Int64.max] {
            let entry = StepLogEntry(at: Timestamp(milliseconds: moment), step: .asked)
            #expect(try log([entry]).refusal?.field == "at")
        }
        #expect(try steps() == 0)
    }

    @Test func `decide nothing, before and after the payment`() throws {
        let before = try orders.contents()
        _ = try log([Self.step(0, .finished)])
        #expect(try orders.contents() == before)
        try orders.propose(.token(id.rawValue))
        let paid = try orders.contents()
        _ = try log([Self.step(1, .cancelled)])
        #expect(try orders.contents() == paid && orders.sent.isEmpty)
    }

    @Test func `are in the order's story at the times of the phone`() throws {
        _ = try log([Self.step(5, .failed, "2"), Self.step(3, .asked)])
        let told = try orders.trace(id.rawValue).entries.filter { $0.type == OrderLogV1.type.rawValue }
        #expect(told.map(\.step) == [Self.step(3, .asked), Self.step(5, .failed, "2")])
        #expect(told.map(\.id) == ["step-01", "step-00"])
    }
}
