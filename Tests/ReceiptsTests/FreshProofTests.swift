import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `a restore` {
    private let group: ReceiptsGroup
    private let castle = Sample.transaction("3000", type: "Non-Consumable")

    init() throws { group = try ReceiptsGroup() }

    @Test(
        arguments: [
            (0, true), (3_599_999, true), (-86_400_000, true), (3_600_000, false), (700 * 86_400_000, false),
            (nil, false),
        ] as [(Int64?, Bool)]
    )
    func `counts if Apple signed its proof within the last hour`(
        _ age: Int64?,
        isFresh: Bool
    ) throws {
        group.proofs.contents["proof"] = .success([castle])
        group.proofs.age = age
        let sent = try group.submit("proof", by: Sample.bob, intent: .restore).sent
        let expected: Submission.Intent = isFresh ? .restore : .staleRestore
        #expect(try sent.bodies(TransactionVerifiedV1.self).map(\.submission?.intent) == [expected])
        let partition = ReceiptsGroup.partition(of: Sample.bob)
        let proof = Proof(kind: .signedTransaction, text: "proof")
        let id = ReceiptID(bundleID: Sample.app, buyer: Sample.bob, proof: proof)
        let record = try group.submission(id, partition: partition)
        #expect(record.submission(at: group.now).intent == expected)
        group.proofs.age = 0
        let again = try group.submit("proof", by: Sample.bob, intent: .restore).sent
        #expect(try again.bodies(TransactionVerifiedV1.self).map(\.submission?.intent) == [.restore])
    }

    @Test func `that Apple has read does not count, whatever Apple says of its date`() throws {
        group.proofs.contents["proof"] = .success([castle])
        _ = try group.submit("proof", by: Sample.bob)
        let partition = ReceiptsGroup.partition(of: Sample.bob)
        let proof = Proof(kind: .signedTransaction, text: "proof")
        let id = ReceiptID(bundleID: Sample.app, buyer: Sample.bob, proof: proof)
        _ = try group.run(partition) {
            let findings = ProofContents(transactions: [castle])
            try SubmissionStore(connection: $0.connection).save(findings, of: id)
        }
        let sent = try group.submit("proof", by: Sample.bob, intent: .restore).sent
        #expect(try sent.bodies(TransactionVerifiedV1.self).map(\.submission?.intent) == [.staleRestore])
    }

    @Test func `with a stale proof is a conflict that says so, and moves nothing`() throws {
        _ = try group.verify(castle, Sample.byAlice)
        _ = try group.hold(castle)
        var copy = Sample.byBob
        copy.intent = .staleRestore
        let sent = try group.verify(castle, copy).sent
        #expect(try sent.bodies(ClaimConflictedV1.self).map(\.transaction.reason) == ["staleProof"])
        #expect(try sent.bodies(TransferRequestedV1.self).isEmpty)
        var fresh = Sample.byBob
        fresh.intent = .restore
        let restored = try group.verify(castle, fresh).sent
        #expect(try restored.bodies(TransferRequestedV1.self).count == 1, "a fresh one moves it all the same")
    }

    private func submitted() throws -> Submission.Intent? {
        let proof = Proof(kind: .signedTransaction, text: "proof")
        let id = ReceiptID(bundleID: Sample.app, buyer: Sample.bob, proof: proof)
        return try group.submission(id, partition: ReceiptsGroup.partition(of: Sample.bob))
            .submission(at: group.now).intent
    }

    @Test func `stays stale when the clock is set back`() throws {
        group.proofs.contents["proof"] = .success([castle])
        group.proofs.age = 700 * 86_400_000
        _ = try group.submit("proof", by: Sample.bob, intent: .restore)
        group.now = group.now.advanced(by: -30 * 86_400_000)
        #expect(try submitted() == .staleRestore)
    }

    @Test func `that is sent again is judged anew, so that one that was refused moves nothing weeks later`()
        throws
    {
        group.proofs.contents["proof"] = .success([castle])
        _ = try group.submit("proof", by: Sample.bob, intent: .restore)
        #expect(try submitted() == .restore)
        let age: Int64 = 20 * 86_400_000
        group.now = group.now.advanced(by: age)
        group.proofs.age = age
        let again = try group.submit("proof", by: Sample.bob, intent: .restore).sent
        #expect(try again.bodies(TransactionVerifiedV1.self).map(\.submission?.intent) == [.staleRestore])
        #expect(try submitted() == .staleRestore)
    }

    @Test func `that only repeats the one for which the ledger is asked is the same one, however old`() throws
    {
        _ = try group.verify(castle, Sample.byAlice)
        _ = try group.hold(castle)
        var (fresh, repeated, other) = (Sample.byBob, Sample.byBob, Sample.byCarol)
        (fresh.intent, repeated.intent, other.intent) = (.restore, .staleRestore, .staleRestore)
        _ = try group.verify(castle, fresh)
        #expect(try group.verify(castle, repeated).sent.bodies(TransferRequestedV1.self).count == 1)
        let refused = try group.verify(castle, other).sent.bodies(ClaimConflictedV1.self)
        #expect(refused.map(\.transaction.reason) == ["staleProof"])
        let kept = try group.answerTransfer(castle, isTaken: false).sent.bodies(ClaimConflictedV1.self)
        #expect(kept.map(\.transaction.reason) == ["notTransferred"])
        let over = try group.verify(castle, repeated).sent.bodies(ClaimConflictedV1.self)
        #expect(over.map(\.transaction.reason) == ["staleProof"], "it is under way no more")
    }

    @Test func `of a parked buyer is over once it is refused, so that it moves nothing weeks later`() throws {
        let held = try HeldPurchase()
        try held.holdWeakly()
        _ = try held.group.verify(held.stated, Sample.byBob)
        _ = try held.answer(held.stated, buyer: Sample.bob, order: Sample.otherOrder)
        _ = try held.answerTransfer(held.stated, isTaken: false)
        var restoring = Sample.byBob
        restoring.intent = .restore
        let asked = try held.group.verify(held.stated, restoring).sent
        #expect(try asked.bodies(TransferRequestedV1.self).map(\.cause) == [.restore])
        let kept = try held.group.answerTransfer(held.stated, isTaken: false).sent
        #expect(try kept.bodies(ClaimConflictedV1.self).map(\.transaction.verdict) == [.parked])
        let waiting = try held.group.rows("SELECT intent FROM claim_waiter", of: held.stated)
        #expect(waiting == [["staleRestore"]])
    }

    @Test func `moves nothing that a family shares, though its app receipt does not say so`() throws {
        var shared = castle
        shared.inAppOwnershipType = "FAMILY_SHARED"
        _ = try group.verify(shared, Sample.byAlice)
        _ = try group.hold(shared)
        var fresh = Sample.byBob
        fresh.intent = .restore
        let sent = try group.verify(castle, fresh).sent
        #expect(try sent.bodies(TransferRequestedV1.self).isEmpty)
        #expect(try sent.bodies(ClaimConflictedV1.self).count == 1)
    }
}
