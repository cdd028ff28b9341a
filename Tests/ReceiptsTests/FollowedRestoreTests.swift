import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Rule: a restore takes the later periods along, also those of which it is not known yet whose they are.
@Suite struct `a restore of an earlier period` {
    private let group = ReceiptsGroup()
    private static let bobs = Sample.byBob.restoring
    private let periods = (0..<3).map {
        `a subscription's chain`.period($0, reason: $0 == 0 ? "PURCHASE" : "RENEWAL")
    }

    /// What Bob's restore of a period leads to.
    private func restore(_ period: SignedTransaction) throws -> [OutgoingEvent] {
        try group.verify(period, Self.bobs).sent
    }

    /// Lets Alice's ledger answer.
    private func answerTransfer(_ period: SignedTransaction, isTaken: Bool = true) throws -> [OutgoingEvent] {
        try group.answerTransfer(period, isTaken: isTaken).sent
    }

    private func holder(_ period: SignedTransaction) throws -> BuyerID? {
        try group.record(period).claim.state.holder?.buyer
    }

    @Test(
        arguments: [HolderEvidence.caller, .token],
        [(isStated: true, isAskedFor: true), (true, false), (false, true), (false, false)]
    )
    func `takes along a period that has waited for Apple's word, once that has come`(
        evidence: HolderEvidence,
        word: (isStated: Bool, isAskedFor: Bool)
    ) throws {
        for period in periods.dropLast() { try group.verifyAndHold(period, evidence: evidence) }
        let latest = periods[2].with(\.transactionReason, nil)
        _ = try group.verify(latest, Sample.byAlice.naming(Sample.order), inquiry: .asked)
        _ = try group.hold(latest, evidence: .order)
        let requests = try restore(periods[1]).bodies(TransferRequestedV1.self)
        #expect(requests.map(\.transaction.transactionId.rawValue) == ["1001"])
        _ = try answerTransfer(periods[1])
        #expect(try holder(latest) == Sample.alice, "nobody moves it before Apple has spoken")
        if word.isAskedFor { #expect(try group.verify(latest, Self.bobs, inquiry: .asked).sent.isEmpty) }
        let stated = periods[2].with(\.inAppOwnershipType, "PURCHASED")
        let spoken = try word.isStated ? group.verify(stated).sent : group.completeEvidence(of: latest)
        #expect(try spoken.bodies(ClaimConflictedV1.self).isEmpty)
        let followed = try spoken.bodies(TransferRequestedV1.self)
        #expect(followed.map(\.toBuyerId) == [Sample.bob] && followed.map(\.cause) == [.restore])
        let moved = try answerTransfer(latest).bodies(TransactionUpdatedV1.self)
        #expect(moved.contains { $0.submission?.submitter == Sample.bob } == word.isAskedFor)
        #expect(try holder(latest) == Sample.bob)
    }

    @Test(arguments: [true, false], [true, false])
    func `takes along several that have waited for Apple's word, in whatever order that comes`(
        isMoved: Bool,
        isLastFirst: Bool
    ) throws {
        let later = Array(periods.dropFirst())
        try group.verifyAndHold(periods[0])
        for period in later {
            let bare = period.with(\.transactionReason, nil)
            _ = try group.verify(bare, Sample.byAlice.naming(Sample.order), inquiry: .asked)
            _ = try group.hold(bare, evidence: .order)
            #expect(try group.verify(bare, Self.bobs, inquiry: .asked).sent.isEmpty)
        }
        _ = try restore(periods[0])
        if isMoved { _ = try answerTransfer(periods[0]) }
        let sent = try (isLastFirst ? later.reversed() : later).flatMap {
            try group.verify($0.with(\.inAppOwnershipType, "PURCHASED")).sent
        }
        #expect(try sent.bodies(ClaimConflictedV1.self).isEmpty)
        let requests = try sent.bodies(TransferRequestedV1.self)
        #expect(Set(requests.map(\.transaction.transactionId.rawValue)) == ["1001", "1002"])
        #expect(requests.allSatisfy { $0.toBuyerId == Sample.bob && $0.cause == .restore })
    }

    @Test(arguments: [true, false])
    func `takes along a renewal that it asks for, too, and that turns out to be the former holder's`(
        isMoved: Bool
    ) throws {
        try group.verifyAndHold(periods[0])
        for period in periods.dropFirst() { #expect(try group.verify(period, Self.bobs).outcome == .applied) }
        _ = try restore(periods[0])
        if isMoved { _ = try answerTransfer(periods[0]) }
        let sent = try periods.dropFirst().flatMap { try group.hold($0, evidence: .holder).sent }
        #expect(try sent.bodies(ClaimConflictedV1.self).isEmpty)
        let requests = try sent.bodies(TransferRequestedV1.self)
        #expect(Set(requests.map(\.transaction.transactionId.rawValue)) == ["1001", "1002"])
        #expect(requests.allSatisfy { $0.toBuyerId == Sample.bob && $0.cause == .restore })
    }

    @Test func `takes along no period that its ledger keeps, and asks for it once`() throws {
        for period in periods { try group.verifyAndHold(period) }
        #expect(try restore(periods[1]).bodies(TransferRequestedV1.self).count == 2)
        _ = try answerTransfer(periods[1])
        let sent = try answerTransfer(periods[2], isTaken: false)
        #expect(try sent.bodies(TransferRequestedV1.self).isEmpty)
        #expect(try periods.map(holder) == [Sample.alice, Sample.bob, Sample.alice])
    }

    @Test func `waits while a token is asked about that names nobody, and goes along then`() throws {
        let before = periods[1].with(\.inAppOwnershipType, "PURCHASED")
        for period in [periods[0], before] { try group.verifyAndHold(period) }
        let latest = periods[2].with(\.transactionReason, nil)
        _ = try group.verify(latest, Sample.byAlice.naming(Sample.order), inquiry: .asked)
        _ = try group.hold(latest, evidence: .order)
        _ = try restore(before)
        _ = try answerTransfer(before)
        #expect(try group.verify(latest, Self.bobs, inquiry: .asked).sent.isEmpty)
        let stated = `a subscription's chain`.period(2, token: Sample.token)
            .with(\.inAppOwnershipType, "PURCHASED")
        #expect(try group.verify(stated).sent.challengers == [.token(Sample.token)])
        let answered = try group.answer(stated, attempt: group.record(stated).claim.attempt, buyer: nil)
        #expect(try answered.bodies(ClaimConflictedV1.self).isEmpty)
        #expect(try answered.bodies(TransferRequestedV1.self).map(\.toBuyerId) == [Sample.bob])
    }
}
