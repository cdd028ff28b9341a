import Contracts
import Database
import Foundation
import TestKit
import Testing

@testable import Delivery
@testable import Orders

@Suite struct `a partition of Orders` {
    static let moment = ClockReading(now: Timestamp(milliseconds: 1_760_000_000_000), uptime: 1_000)
    /// When what is issued at `moment` is looked up first.
    static let lookupAt = ClockReading(
        now: moment.now.advanced(by: PaymentLookupSchedule.ages[0]),
        uptime: 2_000
    )

    let engine: PartitionEngine

    init() throws {
        let settings = PartitionEngine.Settings(
            address: .ofAda(.orders),
            partitions: 4,
            identifiers: IdentifierSource(seed: 3)
        )
        let store = try SQLiteDatabase(path: ":memory:")
        engine = PartitionEngine(service: OrdersService(), settings: settings, store: store)
        _ = try engine.takeOver(at: Self.moment)
    }

    private func bytes<Body: Contract>(_ id: String, _ data: Body) throws -> [UInt8] {
        let event = Event(
            id: EventID(unchecked: id),
            source: "/test",
            time: Self.moment.now,
            subject: "s",
            data: data
        )
        return [UInt8](try EventCoder.encoder().encode(event))
    }

    @discardableResult
    private func ask<Body: RequestContract>(
        _ id: String,
        _ request: Body,
        at moment: ClockReading = moment
    ) throws -> WireMessage {
        let message = WireMessage(
            WireHeader(request: .init(id: id, to: .ofAda(.orders), within: 5_000)),
            body: [try bytes(id, request)]
        )
        let output = try engine.handle(message.inputs(from: [1]), at: moment)
        return try #require(output.replies.first).message
    }

    @Test func `answers a question asked twice in the same bytes, and a wrong one with its field`() throws {
        let first = try ask("q-1", OrderIssueV1.request())
        let order = try JSONDecoder().decode(OrderV1.self, from: Data(try #require(first.body.first)))
        #expect(order.state == .issued)
        #expect(try ask("q-1", OrderIssueV1.request()) == first)
        let wrong = OrderIssueV1.request(key: "key-2", quantity: 0)
        #expect(try ask("q-2", wrong).header.reply?.refused?.field == "quantity")
    }

    /// What the partition has counted of a rule.
    private func counted(_ name: String) throws -> Int? {
        let reply = try ask("status-\(name)", PartitionStatusV1())
        return try JSONDecoder().decode(PartitionStatus.self, from: Data(try #require(reply.body.first)))
            .counters[name]
    }

    @Test func `counts two buyers' orders in one millisecond, after their commit, from 0 on`() throws {
        for rule in CountedRule.allCases { #expect(try counted(rule.rawValue) == 0) }
        let wrong = OrderIssueV1.request(key: "key-2", buyer: .eve, quantity: 0)
        let requests = [OrderIssueV1.request(), .request(buyer: .eve), wrong]
        let inputs = try requests.enumerated().flatMap { number, request -> [PartitionInput] in
            let body = try bytes("q-\(number)", request)
            let header = WireHeader(request: .init(id: "q-\(number)", to: .ofAda(.orders), within: 5_000))
            return WireMessage(header, body: [body]).inputs(from: [1])
        }
        #expect(try engine.handle(inputs, at: Self.moment).replies.count == 3)
        #expect(try counted("orders_in_same_millisecond") == 1)
        _ = try engine.handle(inputs, at: Self.moment)
        #expect(try counted("orders_in_same_millisecond") == 1, "the same requests make no orders")
        try ask("q-3", OrderIssueV1.request(key: "key-3"))
        #expect(try counted("orders_in_same_millisecond") == 2, "in the batch after that")
    }

    @Test func `counts a token that comes back in another case, and a proof without one`() throws {
        let reply = try ask("q-1", OrderIssueV1.request())
        let order = try JSONDecoder().decode(OrderV1.self, from: Data(try #require(reply.body.first)))
        let token = order.appAccountToken
        let proposals = [
            ClaimProposedV1(
                attempt: 1,
                candidate: .token(token),
                transaction: .bought("1").bearing(token.uppercased())
            ),
            ClaimProposedV1(
                attempt: 1,
                candidate: .caller(.ada),
                transaction: .bought("2"),
                submission: .submission()
            ),
        ]
        for (number, proposal) in proposals.enumerated() {
            let inputs = [PartitionInput.direct(try bytes("e-\(number)", proposal))]
            _ = try engine.handle(inputs, at: Self.moment)
        }
        #expect(try counted("token_case_changed") == 1)
        #expect(try counted("claims_without_token") == 1)
    }

    /// The look at the order that was just issued.
    private func lookUp(at uptime: Int64, now: Int64? = nil) throws -> PartitionOutput {
        let moment = ClockReading(now: Self.moment.now.advanced(by: now ?? uptime), uptime: 1_000 + uptime)
        return try engine.handle([.tick], at: moment)
    }

    @Test func `looks up an open order when its time has come, and is not woken before for its sake`() throws
    {
        try ask("q-1", OrderIssueV1.request())
        #expect(try lookUp(at: 0).work.isEmpty)
        #expect(engine.state.workAt == Self.moment.now.advanced(by: PaymentLookupSchedule.ages[0]))
        #expect(try lookUp(at: PaymentLookupSchedule.ages[0] - 1).work.isEmpty)
        let work = try lookUp(at: PaymentLookupSchedule.ages[0]).work
        #expect(work.count == 1)
        #expect(try lookUp(at: PaymentLookupSchedule.ages[0]).work.isEmpty, "it is in hand")
    }

    @Test func `takes a look with its next one and its question in one transaction, and is at rest then`()
        throws
    {
        let claim = ClaimProposedV1(attempt: 1, candidate: .caller(.ada), transaction: .bought())
        _ = try engine.handle([.direct(try bytes("e-1", claim))], at: Self.moment)
        try ask("q-1", OrderIssueV1.request())
        let work = try lookUp(at: PaymentLookupSchedule.ages[0]).work
        let output = try engine.handle(work.map { .worked($0, result: []) }, at: Self.lookupAt)
        #expect(output.sent.map(\.to.service) == [.receipts])
        #expect(output.work.isEmpty)
        #expect(engine.state.turnsInHand.isEmpty)
        #expect(engine.state.workAt == Self.moment.now.advanced(by: PaymentLookupSchedule.ages[1]))
    }

    @Test func `takes the look again that its predecessor had in hand`() throws {
        try ask("q-1", OrderIssueV1.request())
        let work = try lookUp(at: PaymentLookupSchedule.ages[0]).work
        _ = try engine.takeOver(at: Self.lookupAt)
        #expect(try engine.handle([.tick], at: Self.lookupAt).work == work)
    }

    @Test func `looks up in time what is issued after the clock moved backwards, whatever was issued before`()
        throws
    {
        try ask("q-1", OrderIssueV1.request())
        let back = -1_000 * PaymentLookupSchedule.ages[0]
        let earlier = ClockReading(now: Self.moment.now.advanced(by: back), uptime: 5_000)
        try ask("q-2", OrderIssueV1.request(key: "key-2"), at: earlier)
        #expect(engine.state.workAt == earlier.now.advanced(by: PaymentLookupSchedule.ages[0]))
        #expect(try lookUp(at: 10_000, now: back + PaymentLookupSchedule.ages[0]).work.count == 1)
    }
}
