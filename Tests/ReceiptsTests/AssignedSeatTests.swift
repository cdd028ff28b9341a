import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Receipts

/// Alice bought a subscription with seats, and Bob has one of them: his copy states the ids of her period.
@Suite struct `a member's copy of a seat` {
    private static let bought = `a subscription's chain`.period(0, reason: "PURCHASE")
    private static let copy: SignedTransaction = {
        var copy = bought
        (copy.transactionId, copy.inAppOwnershipType, copy.quantity) = ("5000", "ASSIGNED", 5)
        copy.purchaseDate += 1_000
        return copy
    }()

    let group = ReceiptsGroup()
    private var partition: Int { ReceiptsGroup.partition(of: Self.copy) }

    init() throws {
        group.policies[Sample.app] = Sample.policy(environments: [.production], apis: [.serverAPI])
        try group.verifyAndHold(Self.bought)
    }

    @Test func `is a purchase of its own, which its purchaser's holder never gets`() throws {
        let sent = try group.verify(Self.copy, Sample.byBob).sent
        let proposals = try sent.bodies(ClaimProposedV1.self)
        #expect(proposals.map(\.candidate) == [.caller(Sample.bob)])
        #expect(proposals.map(\.transaction.purchaseId.rawValue) == ["5000"])
    }

    @Test func `ends nothing of its purchaser's, and is nobody's renewal`() throws {
        let held = try group.verifyAndHold(Self.copy, Sample.byBob, by: Sample.otherHolder)
        #expect(try held.bodies(SubscriptionUpdatedV1.self).isEmpty)
        let next = `a subscription's chain`.period(1)
        #expect(try group.verify(next).sent.candidates == [.holder(Sample.alice)])
        let renewal = RenewalFacts(signedDate: Sample.start, autoRenewStatus: 0)
        let told = try group.verify(Self.copy, renewal: renewal).sent
        #expect(try told.bodies(SubscriptionUpdatedV1.self).isEmpty)
        let own = try group.verify(Self.bought, renewal: renewal).sent
        #expect(try own.bodies(SubscriptionUpdatedV1.self).map(\.buyerId) == [Sample.alice])
    }

    @Test func `is no alarm while it is nobody's`() throws {
        _ = try group.verify(Self.copy)
        #expect(try group.record(Self.copy).claim.state == .orphan)
        #expect(try group.gauges(partition)["counterfoil_transactions_orphaned"] == 0)
        #expect(try group.record(Self.copy).claim.facts?.isAssigned == true)
    }

    @Test func `is never asked for, by a restore or by Apple`() throws {
        let facts = try #require(TransactionFacts(Self.copy))
        #expect(!facts.isTransferable && facts.isShared)
        let purchasers = try #require(TransactionFacts(Self.bought))
        #expect(purchasers.isTransferable && !purchasers.isShared)
        _ = try group.verify(Self.copy, Sample.byBob, consumptionAskedAt: group.now)
        let requests = "SELECT transaction_id FROM consumption_request"
        #expect(try group.rows(requests, partition: partition).isEmpty)
        _ = try group.verify(Self.bought, consumptionAskedAt: group.now)
        #expect(try group.rows(requests, partition: partition) == [[.text("1000")]])
    }

    @Test func `is not checked for a renewal, and leaves its purchaser's check`() throws {
        _ = try group.verify(Self.copy, Sample.byBob)
        let checked = "SELECT purchase_id FROM claim WHERE renewal_check_at IS NOT NULL"
        #expect(try group.rows(checked, partition: partition) == [[.text("1000:91000")]])
    }
}
