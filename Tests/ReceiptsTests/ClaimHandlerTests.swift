import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `a transaction` {
    let group = ReceiptsGroup()
    let bought = Sample.transaction("1", signed: 10)
    let refund = Sample.transaction("1", signed: 20, refunded: true)

    @Test func `asks its candidates in the partitions that know them`() throws {
        let signed = Sample.transaction("1", token: Sample.token.uppercased())
        let submission = Sample.byAlice.with(\.orderId, Sample.order.rawValue.uppercased())
        var sent = try group.verify(signed, submission).sent
        sent += try group.refuse(signed, .registered, buyer: Sample.bob, attempt: 1).sent
        sent += try group.refuse(signed, attempt: 2).sent
        sent += try group.refuse(signed, .otherProduct, attempt: 3).sent

        try #require(sent.count == 4)
        let proposals = try sent.bodies(ClaimProposedV1.self)
        #expect(
            proposals.map(\.candidate) == [
                .token(Sample.token), .registered(Sample.bob), .order(Sample.order), .caller(Sample.alice),
            ]
        )
        #expect(proposals.map(\.attempt) == [1, 2, 3, 4])
        #expect(proposals.allSatisfy { $0.submission == submission })
        #expect(
            sent.map(\.subject) == [
                Sample.token, "com.example.game/bob", Sample.order.rawValue, "com.example.game/alice",
            ]
        )
        #expect(sent.allSatisfy { $0.to.service == .orders })
        #expect(sent[1].to.partition == ReceiptsGroup.partition(of: Sample.bob))
        #expect(sent[2].to.partition == Sample.order.shard.partition(of: ReceiptsGroup.partitions))
        #expect(sent[3].to.partition == ReceiptsGroup.partition(of: Sample.alice))
    }

    @Test func `is held for ever once Orders says so`() throws {
        _ = try group.verify(bought, Sample.byAlice)
        let held = try group.hold(bought)
        #expect(held.outcome == .applied)
        #expect(held.sent.isEmpty, "the ledger tells its holder")
        #expect(try group.record(bought).claim.state == .held(Sample.holder))

        let again = try group.hold(bought)
        #expect(again.outcome == .applied)
        #expect(again.sent.isEmpty)
        let other = try group.hold(bought, by: Sample.otherHolder)
        #expect(other.outcome == .deadLettered("heldByAnother"))
        #expect(try group.record(bought).claim.state == .held(Sample.holder))
    }

    @Test func `lets everyone wait while it is proposed, and judges them and its submitter once it is held`()
        throws
    {
        _ = try group.verify(bought, Sample.byBob)
        #expect(try group.verify(bought, Sample.byCarol).sent.isEmpty)
        #expect(try group.verify(bought, Sample.byCarol).sent.isEmpty, "a repeat waits once")
        #expect(try group.verify(bought, Sample.byAlice).sent.isEmpty)
        #expect(try group.verify(bought, Sample.byBob).sent.isEmpty)
        #expect(try group.rows("SELECT receipt_id FROM claim_waiter", of: bought).count == 2)

        let sent = try group.hold(bought).sent
        #expect(try !group.record(bought).claim.hasWaiters)
        let restated = try sent.bodies(TransactionUpdatedV1.self)
        #expect(restated.map(\.submission) == [Sample.byAlice])
        #expect(restated.map(\.orderId) == [Sample.order])
        let conflicts = try sent.bodies(ClaimConflictedV1.self)
        #expect(conflicts.map(\.submission) == [Sample.byBob, Sample.byCarol])
        #expect(conflicts.allSatisfy { $0.transaction.verdict == .conflict && $0.transaction.orderId == nil })
        #expect(try group.rows("SELECT receipt_id FROM claim_waiter", of: bought).isEmpty)
        let toBob = try #require(sent.first { $0.type == ClaimConflictedV1.type })
        #expect(toBob.to.partition == Sample.byBob.receiptId.shard.partition(of: ReceiptsGroup.partitions))
    }

    @Test func `tells a stranger of the conflict and its holder's facts to Orders`() throws {
        try group.verifyAndHold(bought)
        let stranger = try group.verify(bought, Sample.byBob).sent
        #expect(stranger.map(\.type) == [ClaimConflictedV1.type])
        let holder = try group.verify(bought, Sample.byAlice).sent
        #expect(try holder.bodies(TransactionUpdatedV1.self).map(\.submission) == [Sample.byAlice])
        #expect(holder.map(\.to.service) == [.orders])
    }

    @Test func `counts each replay by another login, and what its holder sends again never`() throws {
        try group.verifyAndHold(bought)
        _ = try group.verify(bought, Sample.byAlice)
        #expect(group.counts.isEmpty)
        for submission in [Sample.byBob, Sample.byBob, Sample.byCarol] {
            _ = try group.verify(bought, submission)
            #expect(group.counts == ["claim_conflicts": 1])
        }
        let other = Sample.transaction("2")
        _ = try group.verify(other, Sample.byAlice)
        _ = try group.verify(other, Sample.byBob)
        #expect(group.counts.isEmpty, "nobody's yet")
        _ = try group.hold(other)
        #expect(group.counts == ["claim_conflicts": 1])
    }

    @Test(arguments: [.order, .token, .caller] as [HolderEvidence])
    func `tells Orders with its facts by what its holder has it`(evidence: HolderEvidence) throws {
        try group.verifyAndHold(bought, evidence: evidence)
        let updates = try group.verify(refund).sent.bodies(TransactionUpdatedV1.self)
        #expect(updates.map(\.evidence) == [evidence])
    }

    @Test func `tells Orders with its facts whether a phone handed it in`() throws {
        try group.verifyAndHold(bought)
        #expect(try group.verify(refund).sent.bodies(TransactionUpdatedV1.self).map(\.isSubmitted) == [true])
        let told = Sample.transaction("2", token: Sample.token)
        try group.verifyAndHold(told, nil)
        let again = try group.verify(told, Sample.byAlice).sent.bodies(TransactionUpdatedV1.self)
        #expect(again.map(\.isSubmitted) == [nil], "Apple told of it first")
    }

    @Test func `passes a refund on after it is held`() throws {
        try group.verifyAndHold(bought)
        let sent = try group.verify(refund).sent
        let restated = try sent.bodies(TransactionUpdatedV1.self)
        #expect(restated.map(\.transaction.revocationDate) == [Sample.start])
        #expect(restated.map(\.submission) == [nil])
        #expect(sent.first?.subject == "com.example.game/alice")
    }

    @Test func `keeps a refund that comes before it is held, and passes it on then`() throws {
        _ = try group.verify(bought, Sample.byAlice)
        #expect(try group.verify(refund).sent.isEmpty)
        let restated = try group.hold(bought).sent.bodies(TransactionUpdatedV1.self)
        #expect(restated.map(\.transaction.revocationDate) == [Sample.start])
        #expect(restated.map(\.submission) == [nil])
    }

    @Test func `proposes with the refund when that is what is known first`() throws {
        #expect(try group.verify(refund).sent.isEmpty)
        let proposals = try group.verify(bought, Sample.byAlice).sent.bodies(ClaimProposedV1.self)
        #expect(proposals.map(\.transaction.revocationDate) == [Sample.start])
    }

    @Test func `is not changed by facts that are older than what is known`() throws {
        try group.verifyAndHold(bought)
        _ = try group.verify(refund)
        let before = try group.record(bought).claim
        #expect(try group.verify(bought).sent.isEmpty)
        #expect(try group.record(bought).claim == before)
        #expect(before.facts == Sample.facts(20, revoked: true))
        let restated = try group.verify(bought, Sample.byAlice).sent.bodies(TransactionUpdatedV1.self)
        #expect(restated.map(\.transaction.revocationDate) == [Sample.start], "the newest facts are told")
    }

    @Test func `nobody's is an orphan with an age, until a retry or a phone proposes it again`() throws {
        let signed = Sample.transaction("1", token: Sample.token)
        let partition = ReceiptsGroup.partition(of: signed)
        _ = try group.verify(signed)
        #expect(try group.refuse(signed).sent.isEmpty)
        group.now = group.now.advanced(by: 60_000)
        let gauges = try group.gauges(partition)
        #expect(gauges["counterfoil_transactions_orphaned"] == 1)
        #expect(gauges["counterfoil_transactions_orphaned_oldest_seconds"] == 60)

        let hopeless = (1...100).lazy.map { Sample.transaction("9\($0)") }
            .first { ReceiptsGroup.partition(of: $0) == partition }
        _ = try group.verify(try #require(hopeless))
        let retried = try group.retry(partition: partition)
        let item = try #require(retried.items.first)
        #expect(retried.items.count == 1 && item.kind == .orphan && item.id == signed.transactionId)
        #expect(item.before == RetryPage.ItemStatus("orphan"))
        #expect(item.after == RetryPage.ItemStatus("proposed"))
        #expect(item.bundleId == Sample.app && item.productId?.rawValue == signed.productId)
        #expect(try retried.sent.candidates == [.token(Sample.token)])
        _ = try group.refuse(signed, attempt: 2)
        let proposals = try group.verify(signed, Sample.byAlice).sent.bodies(ClaimProposedV1.self)
        #expect(proposals.map(\.candidate) == [.token(Sample.token)])
        #expect(proposals.map(\.attempt) == [3])
    }

    @Test func `nobody's is no alarm when a family shares it, but it is kept and helped like others`() throws
    {
        let shared = Sample.transaction("1", type: "Non-Consumable")
            .with(\.inAppOwnershipType, "FAMILY_SHARED")
        let partition = ReceiptsGroup.partition(of: shared)
        _ = try group.verify(shared)
        #expect(try group.record(shared).claim.state == .orphan)
        group.now = group.now.advanced(by: 60_000)
        let gauges = try group.gauges(partition)
        #expect(gauges["counterfoil_transactions_orphaned"] == 0)
        #expect(gauges["counterfoil_transactions_orphaned_oldest_seconds"] == 0)

        let proposals = try group.verify(shared, Sample.byAlice).sent.bodies(ClaimProposedV1.self)
        #expect(proposals.map(\.candidate) == [.caller(Sample.alice)])
        #expect(proposals.map(\.transaction.inAppOwnershipType) == ["FAMILY_SHARED"])
        _ = try group.refuse(shared)
        #expect(try group.gauges(partition)["counterfoil_transactions_orphaned"] == 0)
        let retried = try group.retry(partition: partition)
        #expect(retried.items.map(\.id) == [shared.transactionId], "an operator finds it")
        #expect(try retried.sent.bodies(ClaimProposedV1.self).count == 1)
    }

    @Test(arguments: [-10, 10] as [Int64])
    func `that an app receipt has shown is completed by Apple's signature, whichever is older`(
        _ signed: Int64
    ) throws {
        let receipt = Sample.transaction("1", type: "Non-Consumable")
        let shared = Sample.transaction("1", type: "Non-Consumable", signed: signed, token: Sample.token)
            .with(\.inAppOwnershipType, "FAMILY_SHARED")
        try group.verifyAndHold(receipt)
        let updates = try group.verify(shared).sent.bodies(TransactionUpdatedV1.self)
        #expect(updates.map(\.transaction.inAppOwnershipType) == ["FAMILY_SHARED"])
        #expect(updates.map(\.transaction.appAccountToken) == [Sample.token])
        let newest = max(Sample.start, Sample.start.advanced(by: signed * 1_000))
        #expect(updates.map(\.transaction.signedDate) == [newest])
        let record = try group.record(shared)
        #expect(record.claim.facts?.isShared == true && record.claim.facts?.isWhole == true)
        #expect(try group.verify(receipt).sent.bodies(TransactionUpdatedV1.self).isEmpty)
        #expect(try group.verify(shared).sent.bodies(TransactionUpdatedV1.self).isEmpty)
    }

    @Test func `of a subscription that a family shares finds its chain's holder later, without an alarm`()
        throws
    {
        let renewal = `a subscription's chain`.period(1).with(\.inAppOwnershipType, "FAMILY_SHARED")
        _ = try group.verify(renewal)
        let partition = ReceiptsGroup.partition(of: renewal)
        #expect(try group.gauges(partition)["counterfoil_transactions_orphaned"] == 0)
        let first = `a subscription's chain`.period(0, reason: "PURCHASE")
        #expect(try group.verifyAndHold(first).candidates == [.holder(Sample.alice)])
    }

    @Test func `goes on with a phone that waits when Apple's statement led nowhere`() throws {
        let signed = Sample.transaction("1", token: Sample.token)
        _ = try group.verify(signed)
        _ = try group.verify(signed, Sample.byBob)
        let proposals = try group.refuse(signed).sent.bodies(ClaimProposedV1.self)
        #expect(proposals.map(\.candidate) == [.caller(Sample.bob)])
        #expect(proposals.map(\.submission) == [Sample.byBob])
        #expect(try group.rows("SELECT * FROM claim_waiter", of: signed).isEmpty)
    }

    @Test func `does not move for a stale refusal`() throws {
        let signed = Sample.transaction("1", token: Sample.token)
        _ = try group.verify(signed, Sample.byAlice)
        _ = try group.refuse(signed)
        let before = try group.record(signed).claim
        let stale = try group.refuse(signed)
        #expect(stale.outcome == .applied)
        #expect(stale.sent.isEmpty)
        #expect(try group.record(signed).claim == before)
        #expect(before.attempt == 2)
    }

    @Test func `that was never seen here has no answers`() throws {
        #expect(try group.hold(bought).outcome == .deadLettered("unknownTransaction"))
        #expect(try group.refuse(bought).outcome == .deadLettered("unknownTransaction"))
    }

    @Test func `that cannot be read is kept with the dead letters`() throws {
        let odd = bought.with(\.productId, "")
        #expect(try group.verify(odd, Sample.byAlice).outcome == .deadLettered("unreadable"))
    }

    @Test func `of the same number in another environment is another one`() throws {
        try group.verifyAndHold(bought)
        let sandbox = Sample.transaction("1", environment: "Sandbox", signed: 10)
        #expect(try group.verify(sandbox, Sample.byBob).sent.candidates == [.caller(Sample.bob)])
    }
}
