import Contracts
import TestKit
import Testing

@testable import Delivery

@Suite struct `the story of a proof` {
    let group = ReceiptsGroup()
    let receipt: ReceiptID
    private static let first = EventID.event(1)
    private static let second = EventID.event(2)

    init() throws {
        group.proofs.contents = ["one": .success([Sample.transaction("1")])]
        let (outcome, sent) = try group.submit("one", by: Sample.alice, request: Self.first)
        receipt = try #require(outcome.reply?.receiptId)
        _ = try group.deliver(sent)
    }

    private func trace(_ identifier: String) throws -> Trace {
        try group.trace(identifier, partition: ReceiptsGroup.partition(of: Sample.transaction("1")))
    }

    @Test func `keeps nothing beside the rows the first time`() throws {
        #expect(group.recorded.isEmpty)
        _ = try group.hold(Sample.transaction("1"))
        #expect(group.recorded.isEmpty)
    }

    @Test func `keeps the request before, and the statement that the row does not take up`() throws {
        let verified = try #require(try trace("1").entries.first)
        let (_, sent) = try group.submit("one", by: Sample.alice, request: Self.second)
        #expect(group.recorded == ["\(receipt): \(Self.first)"])
        _ = try group.deliver(sent)
        let again = try #require(sent.first { $0.type == TransactionVerifiedV1.type })
        #expect(group.recorded == ["1: \(again.id)"])
        #expect(try trace("1").entries.first == verified, "the row shows the first statement")
    }

    @Test func `keeps the answer before, when Orders answers again`() throws {
        _ = try group.refuse(Sample.transaction("1"))
        let refused = try #require(try trace("1").entries.last)
        #expect(refused.type == ClaimRefusedV1.type.rawValue)
        _ = try group.hold(Sample.transaction("1"))
        #expect(group.recorded == ["1: \(refused.id)"])
    }

    @Test func `is found by each event of its claim, and by the request that led there`() throws {
        _ = try group.hold(Sample.transaction("1"))
        let story = try trace("1")
        for event in story.entries.map(\.id) + [Self.first.rawValue] {
            #expect(try trace(event) == story, "\(event)")
        }
        #expect(try trace(Self.second.rawValue) == Trace())
    }
}
