import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// What operators hear where a compensation cannot be proposed or confirmed.
extension `Compensations in a ledger` {
    private func propose(_ quantity: Int, of product: String) throws -> RequestOutcome<CompensationV1> {
        let request = CompensationProposeV1(
            proposalId: id(),
            bundleId: .game,
            buyerId: .ada,
            environment: .production,
            productId: ProductID(unchecked: product),
            quantity: quantity,
            basis: CompensationBasis(kind: .goodwill),
            reason: "ticket 4711",
            operatorId: `A compensation`.lin
        )
        return try harness.handle(
            request,
            OnCompensationPropose(catalog: harness.catalog).callAsFunction
        )
    }

    @Test func `are refused for more than one of what a buyer has once, by the quantity, without a trace`()
        throws
    {
        harness.sell("castle", [.castle], type: .nonConsumable)
        let refusal = try #require(propose(2, of: "castle").refusal)
        #expect(refusal.code == .invalid && refusal.field == "quantity" && refusal.reason == "ownedOnce")
        #expect(try acts().isEmpty)
        #expect(try propose(1, of: "castle").reply?.state == .proposed)
    }

    @Test func `of a consumable are proposed for several at once`() throws {
        #expect(try propose(2, of: "coins.100").reply?.quantity == 2)
    }

    @Test func `that were withdrawn say so, in the record, too`() throws {
        _ = try propose()
        #expect(try decide(.reverse).reply?.state == .void)
        #expect(try acts() == ["compensationProposed", "compensationWithdrawn"])
        #expect(try decide(.confirm).refusal == .withdrawnProposal)
        try give(2)
        _ = try decide(.reverse, 2)
        #expect(try acts().last == "compensationReversed", "it had been given")
        #expect(try decide(.confirm, 2).refusal == .endedCompensation)
    }

    @Test func `that gave way to another one after a week say that nobody has confirmed them`() throws {
        _ = try propose()
        harness.now = harness.now.advanced(by: Approval.validMilliseconds + 1)
        _ = try #require(propose(2).reply)
        #expect(try decide(.confirm).refusal == .expiredProposal)
    }
}
