import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `a restore` {
    private let group = ReceiptsGroup()
    private let castle = Sample.transaction("3000", type: "Non-Consumable")
    private let home = ReceiptsGroup.partition(of: Sample.bob)
    /// Of Bob's proof.
    private let receipt = ReceiptID(
        bundleID: Sample.app,
        buyer: Sample.bob,
        proof: Proof(kind: .signedTransaction, text: "proof")
    )

    init() { group.proofs.contents["proof"] = .success([castle]) }

    private func submitted() throws -> Submission.Intent? {
        try group.submission(receipt, partition: home).submission(at: group.now).intent
    }

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
        group.proofs.age = age
        let sent = try group.submit("proof", by: Sample.bob, intent: .restore).sent
        let expected: Submission.Intent = isFresh ? .restore : .staleRestore
        #expect(try sent.bodies(TransactionVerifiedV1.self).map(\.submission?.intent) == [expected])
        #expect(try submitted() == expected)
        group.proofs.age = 0
        let again = try group.submit("proof", by: Sample.bob, intent: .restore).sent
        #expect(try again.bodies(TransactionVerifiedV1.self).map(\.submission?.intent) == [.restore])
    }

    @Test func `that Apple has read does not count, whatever Apple says of its date`() throws {
        _ = try group.submit("proof", by: Sample.bob)
        _ = try group.run(home) {
            let findings = ProofContents(transactions: [castle])
            try SubmissionStore(connection: $0.connection).save(findings, of: receipt)
        }
        let sent = try group.submit("proof", by: Sample.bob, intent: .restore).sent
        #expect(try sent.bodies(TransactionVerifiedV1.self).map(\.submission?.intent) == [.staleRestore])
    }

    @Test func `with a stale proof is a conflict that says so, and moves nothing`() throws {
        try group.verifyAndHold(castle)
        let sent = try group.verify(castle, Sample.byBob.with(\.intent, .staleRestore)).sent
        #expect(try sent.bodies(ClaimConflictedV1.self).map(\.transaction.reason) == ["staleProof"])
        #expect(try sent.bodies(TransferRequestedV1.self).isEmpty)
        let restored = try group.verify(castle, Sample.byBob.restoring).sent
        #expect(try restored.bodies(TransferRequestedV1.self).count == 1, "a fresh one moves it all the same")
    }

    @Test func `stays stale when the clock is set back`() throws {
        group.proofs.age = 700 * 86_400_000
        _ = try group.submit("proof", by: Sample.bob, intent: .restore)
        group.now = group.now.advanced(by: -30 * 86_400_000)
        #expect(try submitted() == .staleRestore)
    }

    @Test func `that is sent again is judged anew, so that one that was refused moves nothing weeks later`()
        throws
    {
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
        try group.verifyAndHold(castle)
        let repeated = Sample.byBob.with(\.intent, .staleRestore)
        let other = Sample.byCarol.with(\.intent, .staleRestore)
        _ = try group.verify(castle, Sample.byBob.restoring)
        #expect(try group.verify(castle, repeated).sent.bodies(TransferRequestedV1.self).count == 1)
        let refused = try group.verify(castle, other).sent.bodies(ClaimConflictedV1.self)
        #expect(refused.map(\.transaction.reason) == ["staleProof"])
        let kept = try group.answerTransfer(castle, isTaken: false).sent.bodies(ClaimConflictedV1.self)
        #expect(kept.map(\.transaction.reason) == ["notTransferred"])
        let over = try group.verify(castle, repeated).sent.bodies(ClaimConflictedV1.self)
        #expect(over.map(\.transaction.reason) == ["staleProof"], "it is under way no more")
    }

    @Test func `of a parked buyer is over once it is refused, so that it moves nothing weeks later`() throws {
        let held = HeldPurchase()
        _ = try held.park()
        let asked = try held.group.verify(held.stated, Sample.byBob.restoring).sent
        #expect(try asked.bodies(TransferRequestedV1.self).map(\.cause) == [.restore])
        let kept = try held.group.answerTransfer(held.stated, isTaken: false).sent
        #expect(try kept.verdicts == [.parked])
        let waiting = try held.group.rows("SELECT intent FROM claim_waiter", of: held.stated)
        #expect(waiting == [["staleRestore"]])
    }

    @Test func `moves nothing that a family shares, though its app receipt does not say so`() throws {
        try group.verifyAndHold(castle.with(\.inAppOwnershipType, "FAMILY_SHARED"))
        let sent = try group.verify(castle, Sample.byBob.restoring).sent
        #expect(try sent.bodies(TransferRequestedV1.self).isEmpty)
        #expect(try sent.bodies(ClaimConflictedV1.self).count == 1)
    }
}
