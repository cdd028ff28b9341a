import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `the transfer of a purchase` {
    static let now = Sample.start
    static let states: [Transfer] = [
        Transfer(requester: nil, movedAt: nil), Transfer(requester: Sample.bob, movedAt: nil),
        Transfer(requester: nil, movedAt: now), Transfer(requester: Sample.bob, movedAt: now),
        Transfer(takenBackFor: Sample.bob, transfer: 1), Transfer(takenBackFor: Sample.carol, transfer: 2),
    ]
    static let events: [Transfer.Event] = [
        .asked(by: Sample.bob, Transfer.History(now: now)),
        .asked(by: Sample.carol, Transfer.History(now: now)),
        .asked(by: Sample.bob, Transfer.History(now: now.advanced(by: Transfer.interval), movedAt: now)),
        .asked(by: Sample.bob, Transfer.History(now: now, requester: Sample.carol)),
        .decided(for: Sample.bob),
        .taken(at: now), .kept(of: Sample.bob), .kept(of: Sample.carol),
        .takenBack(for: Sample.bob, transfer: 1, .restore),
        .takenBack(for: Sample.carol, transfer: 2, .evidence),
    ]

    @Test(arguments: states, events)
    func `twice is once, and what is refused leaves no trace`(from: Transfer, event: Transfer.Event) {
        var transfer = from
        let outcome = transfer.apply(event)
        if outcome != .applied { #expect(transfer == from) }
        let once = transfer
        if outcome != .refused { #expect(transfer.apply(event) != .refused) }
        #expect(transfer == once)
    }

    @Test(arguments: states, events)
    func `goes by its table`(from: Transfer, event: Transfer.Event) {
        var transfer = from
        let outcome = transfer.apply(event)
        switch (from.state, event) {
        case (.resting, .asked(let buyer, let history)):
            let isFree = history.requester == nil || history.requester == buyer
            let isRested = from.movedAt == nil || history.now != Self.now
            #expect((outcome == .applied) == (isFree && isRested))
            #expect(transfer.requester == (isFree && isRested ? buyer : nil))
        case (.requested(let known), .asked(let buyer, _)):
            #expect(outcome == (buyer == known ? .again : .refused) && transfer.requester == known)
        case (.resting, .decided(let buyer)): #expect(transfer.requester == buyer)
        case (.requested(let known), .decided(let buyer)):
            #expect(outcome == (buyer == known ? .again : .refused) && transfer.requester == known)
        case (.takenBack, .asked), (.takenBack, .decided): #expect(outcome == .refused)
        case (_, .takenBack(let buyer, let number, _)):
            let isLater = (from.takenBack?.transfer ?? 0) < number
            #expect((outcome == .applied) == isLater)
            #expect(transfer.takenBack?.buyer == (isLater ? buyer : from.takenBack?.buyer))
            #expect(isLater || transfer == from)
        case (_, .taken):
            #expect(transfer == Transfer(requester: nil, movedAt: Self.now))
        case (.resting, .kept), (.takenBack, .kept): #expect(outcome == .again)
        case (.requested(let known), .kept(let buyer)):
            #expect(transfer.requester == (buyer == known ? nil : known))
        }
    }

    @Test func `happens once in 30 days, of a chain as a whole`() {
        let day: Int64 = 86_400_000
        for (days, outcome) in [(29, Transfer.Outcome.refused), (30, .applied)] {
            var transfer = Transfer(requester: nil, movedAt: nil)
            let later = Self.now.advanced(by: Int64(days) * day)
            let history = Transfer.History(now: later, movedAt: Self.now)
            #expect(transfer.apply(.asked(by: Sample.bob, history)) == outcome)
        }
    }
}

/// What Alice holds, and Bob restores.
@Suite struct `a restore under another login` {
    let group = ReceiptsGroup()

    static let bobs = Sample.byBob.restoring
    private static let castle = Sample.transaction("3000", type: ProductType.nonConsumable)
    private let periods = (0..<3).map {
        `a subscription's chain`.period($0, reason: $0 == 0 ? "PURCHASE" : "RENEWAL")
    }

    /// The requests that a restore leads to.
    private func restore(
        _ signed: SignedTransaction,
        _ submission: Submission = bobs
    ) throws -> [OutgoingEvent] {
        let (outcome, sent) = try group.verify(signed, submission)
        #expect(outcome == .applied)
        return sent
    }

    private func answerTransfer(
        _ signed: SignedTransaction = castle,
        isTaken: Bool = true,
        from former: BuyerID = Sample.alice,
        to buyer: BuyerID = Sample.bob,
        transfer: Int = 1
    ) throws -> [OutgoingEvent] {
        let (outcome, sent) = try group.answerTransfer(
            signed,
            isTaken: isTaken,
            from: former,
            to: buyer,
            transfer: transfer
        )
        #expect(outcome == .applied)
        return sent
    }

    private func holder(_ signed: SignedTransaction = castle) throws -> BuyerID? {
        try group.record(signed).claim.state.holder?.buyer
    }

    /// What a restored ledger of Alice's is told of transfers.
    private func redriven() throws -> [TransferRequestedV1] {
        let partition = ReceiptsGroup.partition(of: Self.castle)
        let target = ReceiptsGroup.partition(of: Sample.alice)
        let sent = try group.redrive(from: partition, to: .entitlements, target).sent
        return try sent.bodies(TransferRequestedV1.self)
    }

    @Test func `asks the holder's ledger, and moves the claim when that has taken it back`() throws {
        try group.verifyAndHold(Self.castle)
        let requests = try restore(Self.castle).bodies(TransferRequestedV1.self)
        #expect(requests.map(\.buyerId) == [Sample.alice] && requests.map(\.toBuyerId) == [Sample.bob])
        #expect(requests.map(\.transfer) == [1] && requests.map(\.orderId) == [Sample.order])
        #expect(try holder() == Sample.alice, "nothing has moved yet")
        let updates = try answerTransfer().bodies(TransactionUpdatedV1.self)
        #expect(updates.map(\.buyerId) == [Sample.bob])
        #expect(updates.map(\.submission?.submitter) == [Sample.bob])
        #expect(updates.map(\.transferred) == [Transferred(count: 1, payerId: Sample.alice)])
        #expect(updates.map(\.orderId) == [Sample.order], "the order stays the payer's")
        #expect(try holder() == Sample.bob)
        #expect(try answerTransfer().isEmpty, "twice is once")
        let later = try restore(Self.castle, Sample.byAlice)
        #expect(try later.bodies(ClaimConflictedV1.self).map(\.submission) == [Sample.byAlice])
        #expect(try later.bodies(ClaimConflictedV1.self).map(\.transfers) == [1])
    }

    @Test func `is a conflict without the intent, shared by the family, or of a consumable`() throws {
        let shared = Sample.transaction("3001", type: ProductType.nonConsumable)
            .with(\.inAppOwnershipType, "FAMILY_SHARED")
        let untyped = Sample.transaction("3003", type: "")
        for (signed, submission) in [
            (Self.castle, Sample.byBob), (shared, Self.bobs), (Sample.transaction("3002"), Self.bobs),
            (untyped, Self.bobs),
        ] {
            try group.verifyAndHold(signed)
            let sent = try restore(signed, submission)
            #expect(try sent.bodies(TransferRequestedV1.self).isEmpty)
            #expect(try sent.bodies(ClaimConflictedV1.self).count == 1)
        }
    }

    @Test func `is a conflict when the ledger lets the holder keep it`() throws {
        try group.verifyAndHold(Self.castle)
        _ = try restore(Self.castle)
        let sent = try answerTransfer(isTaken: false)
        #expect(try sent.bodies(ClaimConflictedV1.self).map(\.submission.submitter) == [Sample.bob])
        #expect(try holder() == Sample.alice)
        #expect(try group.rows("SELECT * FROM claim_waiter", of: Self.castle).isEmpty)
    }

    @Test func `of two logins at once moves to the first, and is a conflict for the other`() throws {
        try group.verifyAndHold(Self.castle)
        _ = try restore(Self.castle)
        let other = try restore(Self.castle, Sample.byCarol.restoring)
        #expect(try other.bodies(ClaimConflictedV1.self).count == 1)
        #expect(try other.bodies(TransferRequestedV1.self).isEmpty)
        #expect(try restore(Self.castle).bodies(TransferRequestedV1.self).count == 1, "a repeat asks again")
        _ = try answerTransfer()
        #expect(try holder() == Sample.bob)
    }

    @Test func `happens once in 30 days, and then may go back`() throws {
        try group.verifyAndHold(Self.castle)
        _ = try restore(Self.castle)
        _ = try answerTransfer()
        let back = Sample.byAlice.restoring
        #expect(try restore(Self.castle, back).bodies(ClaimConflictedV1.self).count == 1)
        group.harness.now = group.harness.now.advanced(by: Transfer.interval)
        let requests = try restore(Self.castle, back).bodies(TransferRequestedV1.self)
        #expect(requests.map(\.transfer) == [2] && requests.map(\.buyerId) == [Sample.bob])
        let moved = try answerTransfer(to: Sample.alice, transfer: 2)
        let updates = try moved.bodies(TransactionUpdatedV1.self)
        #expect(updates.map(\.transferred) == [Transferred(count: 2, payerId: Sample.alice)])
        #expect(try holder() == Sample.alice)
    }

    @Test func `moves a chain with the periods that begin later, and no earlier ones`() throws {
        for period in periods { try group.verifyAndHold(period) }
        let requests = try restore(periods[1]).bodies(TransferRequestedV1.self)
        #expect(Set(requests.map(\.transaction.transactionId.rawValue)) == ["1001", "1002"])
        let other = try restore(periods[0], Sample.byCarol.restoring)
        #expect(try other.bodies(ClaimConflictedV1.self).count == 1, "nobody else takes a part of it")
        for period in periods.dropFirst() { _ = try answerTransfer(period) }
        #expect(try periods.map(holder) == [Sample.alice, Sample.bob, Sample.bob])
        #expect(try group.verify(`a subscription's chain`.period(3)).sent.candidates == [.holder(Sample.bob)])
        #expect(try restore(periods[0]).bodies(ClaimConflictedV1.self).count == 1, "once in 30 days")
    }

    @Test(arguments: [true, false])
    func `takes along a renewal that came to the former holder meanwhile`(isHeldFirst: Bool) throws {
        for period in periods.dropLast() { try group.verifyAndHold(period) }
        _ = try restore(periods[1])
        #expect(try group.verify(periods[2]).sent.candidates == [.holder(Sample.alice)])
        var sent: [OutgoingEvent] = []
        if isHeldFirst { _ = try group.hold(periods[2], evidence: .holder) }
        sent += try answerTransfer(periods[1])
        if !isHeldFirst { sent += try group.hold(periods[2], evidence: .holder).sent }
        let requests = try sent.bodies(TransferRequestedV1.self)
        #expect(requests.map(\.transaction.transactionId.rawValue) == ["1002"])
        #expect(requests.map(\.buyerId) == [Sample.alice] && requests.map(\.toBuyerId) == [Sample.bob])
        _ = try answerTransfer(periods[2])
        #expect(try periods.map(holder) == [Sample.alice, Sample.bob, Sample.bob])
    }

    @Test func `is judged by the type that Apple states later, which an old app receipt does not`() throws {
        let typed = Self.castle.with(\.inAppOwnershipType, "PURCHASED")
        let bare = Self.castle.with(\.type, "")
        _ = try group.verify(bare, Sample.byAlice.naming(Sample.order), inquiry: .asked)
        _ = try group.hold(bare, evidence: .order)
        #expect(try group.verify(bare, Self.bobs, inquiry: .asked).sent.isEmpty)
        let spoken = try group.verify(typed).sent
        #expect(try spoken.bodies(TransferRequestedV1.self).map(\.toBuyerId) == [Sample.bob])
        let later = try group.verify(bare, Self.bobs).sent
        #expect(try later.bodies(ClaimConflictedV1.self).isEmpty, "it repeats the restore")
    }

    @Test func `is told to restored stores again`() throws {
        try group.verifyAndHold(Self.castle)
        _ = try restore(Self.castle)
        #expect(try redriven().map(\.isAnswered) == [false])
        _ = try answerTransfer()
        let answered = try redriven()
        #expect(answered.map(\.isAnswered) == [true] && answered.map(\.toBuyerId) == [Sample.bob])
    }

    @Test func `of which a restored claim knows nothing is learnt from Orders`() throws {
        try group.verifyAndHold(Self.castle)
        #expect(try group.recall(Self.castle, by: Sample.moved(to: Sample.bob)).outcome == .applied)
        #expect(try holder() == Sample.bob)
        #expect(try group.recall(Self.castle).outcome == .applied)
        #expect(try holder() == Sample.bob, "an earlier holder changes nothing")
    }

    @Test
    func `of which Orders tells a restored claim before the ledgers do keeps each step as they state it`()
        throws
    {
        try group.verifyAndHold(Self.castle)
        _ = try group.recall(Self.castle, by: Sample.moved(to: Sample.carol, count: 2))
        _ = try answerTransfer(from: Sample.bob, to: Sample.carol, transfer: 2)
        _ = try answerTransfer()
        let steps = try group.rows("SELECT from_id, to_id FROM transfer ORDER BY transfer", of: Self.castle)
        let (alice, bob, carol) = (Sample.alice.storedValue, Sample.bob.storedValue, Sample.carol.storedValue)
        #expect(steps == [[alice, bob], [bob, carol]])
    }

    /// What a restored store knows of the purchase that the ledger has taken back from Alice.
    enum Known: CaseIterable { case nothing, orphan, proposed }

    @Test(arguments: Known.allCases, [true, false])
    func `that the ledger has taken back moves a restored claim as soon as that is held`(
        known: Known,
        isAnswered: Bool
    ) throws {
        switch known {
        case .nothing: break
        case .orphan: _ = try group.verify(Self.castle)
        case .proposed: _ = try group.verify(Self.castle, Sample.byAlice)
        }
        #expect(try answerTransfer().isEmpty && answerTransfer().isEmpty)
        #expect(try holder() == nil)
        _ = try restore(Self.castle)
        let (outcome, sent) =
            isAnswered
            ? try group.hold(Self.castle) : try group.recall(Self.castle)
        #expect(outcome == .applied)
        #expect(try holder() == Sample.bob)
        let updates = try sent.bodies(TransactionUpdatedV1.self)
        #expect(updates.contains { $0.submission?.submitter == Sample.bob })
        #expect(updates.allSatisfy { $0.buyerId == Sample.bob && $0.orderId == Sample.order })
        #expect(updates.allSatisfy { $0.transferred == Transferred(count: 1, payerId: Sample.alice) })
        let steps = try redriven()
        #expect(steps.map(\.buyerId) == [Sample.alice] && steps.map(\.toBuyerId) == [Sample.bob])
        #expect(steps.map(\.isAnswered) == [true])
    }

    @Test func `that the ledger has refused makes no unknown purchase known`() throws {
        let again = Sample.transaction("3009", original: "3000", type: ProductType.nonConsumable)
        let facts = try #require(TransactionFacts(again))
        #expect(facts.purchaseId != PurchaseID(facts.transactionId))
        for (isTaken, expected) in [(false, Outcome.deadLettered("unknownTransaction")), (true, .applied)] {
            #expect(try group.answerTransfer(again, isTaken: isTaken).outcome == expected)
            let names = try group.rows("SELECT name FROM purchase_alias", of: again)
            #expect(names == (isTaken ? [["3009"]] : []))
        }
    }

    @Test func `of which the ledgers tell in any order goes to the last holder`() throws {
        _ = try answerTransfer(to: Sample.carol, transfer: 2)
        _ = try answerTransfer()
        _ = try group.recall(Self.castle)
        #expect(try holder() == Sample.carol)
        let moved = try #require(group.record(Self.castle).claim.state.holder?.transferred)
        #expect(moved == Transferred(count: 2, payerId: Sample.alice))
    }

    @Test func `keeps its intent while the submission waits, and for 30 days`() throws {
        group.proofs.contents["proof"] = .success([Self.castle])
        let request = ReceiptSubmitV1(
            bundleId: Sample.app,
            buyerId: Sample.bob,
            kind: .signedTransaction,
            proof: "proof",
            intent: .restore
        )
        var record = SubmissionRecord(request, group.proofs.proof(of: request), now: Sample.start)
        #expect(record.submission(at: Sample.start).intent == .restore)
        #expect(record.submission(at: Sample.start.advanced(by: Transfer.interval)).intent == .staleRestore)
        let partition = ReceiptsGroup.partition(of: Sample.bob)
        let handler = OnReceiptSubmit(workflow: group.service.submissions)
        _ = try group.handle(request, in: partition, handler.callAsFunction)
        record = try group.submission(record.receiptID, partition: partition)
        #expect(record.restore?.end == group.harness.now.advanced(by: Transfer.interval))
    }
}
