import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// What an operator does to amounts on a day.
@Suite struct `An operator's acts of a day` {
    private static let day: Int64 = 86_400_000
    private let harness = EntitlementsHarness()

    private func proposal(_ number: UInt8, shard: UInt16 = 0) -> ProposalID {
        ProposalID(.compensation, shard: Shard(rawValue: shard), digest: Array(repeating: number, count: 14))
    }

    @discardableResult
    private func count(
        _ number: UInt8,
        shard: UInt16 = 0,
        attempt: String = "e-1",
        isReturned: Bool? = nil
    ) throws -> RequestOutcome<OperatorCount> {
        let request = OperatorCountV1(
            operatorId: OperatorID(unchecked: "o000000000001"),
            actId: "propose \(number)",
            proposalId: proposal(number, shard: shard),
            limit: 2,
            attempt: EventID(unchecked: attempt),
            isReturned: isReturned
        )
        return try harness.handle(request, OnOperatorCount().callAsFunction)
    }

    @Test func `are counted once each, up to the limit`() throws {
        #expect(try count(1).reply?.isNew == true)
        #expect(try count(1).reply.map { [$0.count, $0.isNew ? 1 : 0] } == [1, 0])
        #expect(try count(2).reply?.count == 2)
        #expect(try count(3).refusal == .dailyLimit(2))
        #expect(try count(2).reply?.count == 2)
    }

    @Test func `are the same ones after midnight, though the new day is full`() throws {
        try count(1)
        harness.now = harness.now.advanced(by: Self.day)
        try count(2)
        try count(3)
        #expect(try count(1).reply?.isNew == false)
        #expect(try count(4).refusal == .dailyLimit(2))
    }

    @Test func `are not twice as many where the clock jumps a day ahead and back`() throws {
        harness.now = harness.now.advanced(by: Self.day)
        try count(1)
        try count(2)
        harness.now = harness.now.advanced(by: -Self.day)
        #expect(try count(3).refusal == .dailyLimit(2))
    }

    @Test func `count no more once they are returned`() throws {
        try count(1)
        try count(2)
        #expect(try count(2, isReturned: true).reply?.count == 1)
        #expect(try count(3).reply?.count == 2)
    }

    @Test func `stay counted where another attempt is under way when one returns them`() throws {
        try count(1)
        #expect(try count(1, attempt: "e-2").reply?.isNew == false)
        #expect(try count(1, isReturned: true).reply?.count == 1)
        #expect(try count(1, attempt: "e-2", isReturned: true).reply?.count == 0)
    }

    @Test func `about another proposal than before are refused`() throws {
        try count(1)
        #expect(try count(1, shard: 1).refusal == .changedProposal)
        #expect(try count(1, shard: 1, isReturned: true).reply?.count == 1)
    }

    @Test func `are forgotten after a week, whatever the clock said`() throws {
        for days: Int64 in [0, 9, 30, 9] {
            harness.now = EntitlementsHarness().now.advanced(by: days * Self.day)
            try count(UInt8(days))
            #expect(try harness.rows("SELECT 1 FROM operator_day").count == 1, "\(days)")
        }
    }
}

@Suite struct `What a purchase has given its holder` {
    @Test func `is amounts where it gave some, whatever the catalog says now`() throws {
        let harness = EntitlementsHarness()
        let question = GivenAmountsGetV1(
            bundleId: .game,
            buyerId: .ada,
            environment: .production,
            purchaseId: PurchaseID(unchecked: "1000")
        )
        func asked() throws -> RequestOutcome<GivenAmounts> {
            try harness.handle(question, OnGivenAmountsGet().callAsFunction)
        }
        #expect(try asked().reply == GivenAmounts())
        try harness.grant(.facts())
        harness.sell("coins.100", [.castle])
        #expect(try asked().reply?.hasGiven == true)
    }
}
