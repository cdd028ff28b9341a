import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Orders

@Suite struct `Compensations that Orders keeps` {
    private let orders = OrdersHarness()

    private static func compensation(_ state: CompensationV1.State, _ number: UInt8 = 1) -> CompensationV1 {
        let shard = PartitionKey.buyer(.ada, of: .game).shard
        let start = Timestamp(milliseconds: 1_760_000_000_000)
        return CompensationV1(
            proposalId: ProposalID(.compensation, shard: shard, digest: Array(repeating: number, count: 14)),
            state: state,
            bundleId: .game,
            buyerId: .ada,
            environment: .production,
            productId: ProductID(unchecked: "coins.100"),
            quantity: 1,
            basis: CompensationBasis(kind: .goodwill),
            reason: "ticket 4711",
            proposedBy: OperatorID(unchecked: "o000000000001"),
            proposedAt: start,
            confirmedBy: OperatorID(unchecked: "o000000000002"),
            confirmedAt: start.advanced(by: 1),
            endedAt: state == .granted ? nil : start.advanced(by: 2)
        )
    }

    private func change(_ compensation: CompensationV1) throws {
        let message = CompensationChangedV1(compensation: compensation)
        #expect(try orders.handle(message, OnCompensationChanged().callAsFunction) == .applied)
    }

    @Test func `are told to a restored ledger before the purchases, each as it was told last`() throws {
        try change(Self.compensation(.granted))
        try change(Self.compensation(.reversed))
        try change(Self.compensation(.granted))
        try change(Self.compensation(.granted, 2))
        try orders.propose(.caller(.ada))
        try orders.redrive(to: .ofAda(.entitlements))
        let types = orders.sent.map(\.type)
        #expect(types == [CompensationKeptV1.type, CompensationKeptV1.type, PurchaseReportedV1.type])
        let states = try orders.sent.bodies(CompensationKeptV1.self).map(\.compensation.state)
        #expect(states == [.reversed, .granted], "what has ended stays so")
    }

    @Test func `are told page by page, to nobody else`() throws {
        for number in 0..<(KeptCompensationStore.pageRows + 1) {
            var one = Self.compensation(.granted)
            one.proposalId = ProposalID(
                .compensation,
                shard: one.proposalId.shard,
                digest: [UInt8(number >> 8), UInt8(number & 0xFF)] + Array(repeating: 0, count: 12)
            )
            try change(one)
        }
        try orders.propose(.caller(.ada))
        let first = try orders.redrive(to: .ofAda(.entitlements))
        #expect(orders.sent.count == KeptCompensationStore.pageRows && first.next.count == 2)
        _ = try orders.redrive(to: .ofAda(.entitlements), after: first.next)
        #expect(orders.sent.map(\.type) == [CompensationKeptV1.type, PurchaseReportedV1.type])
        #expect(try orders.redriven(to: .receipts).bodies(CompensationKeptV1.self).isEmpty)
    }
}
