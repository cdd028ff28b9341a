import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Receipts

/// A month's periods of one subscription: the first is Alice's.
@Suite struct `a subscription's chain` {
    static let month: Int64 = 30 * 86_400
    let group = ReceiptsGroup()

    /// The period that begins so many months after the first.
    static func period(
        _ months: Int64,
        reason: String? = "RENEWAL",
        token: String? = nil
    ) -> SignedTransaction {
        let id = String(1_000 + months)
        var period = Sample.transaction(
            id,
            original: "1000",
            type: ProductType.autoRenewable,
            signed: months * month,
            purchased: months * month,
            token: token
        )
        period.transactionReason = reason
        period.webOrderLineItemId = "9" + id
        period.expiresDate = period.purchaseDate + month * 1_000
        return period
    }

    private static let first = period(0, reason: "PURCHASE")

    @Test func `gives its holder a renewal, without token and phone`() throws {
        try group.verifyAndHold(Self.first)
        #expect(try group.candidates(of: Self.period(1)) == [.holder(Sample.alice)])
    }

    /// As Apple signs it, which states whose it is.
    private static func whole(_ period: SignedTransaction) -> SignedTransaction {
        period.with(\.inAppOwnershipType, "PURCHASED")
    }

    private static let another = "00000000-0000-4000-8000-00000000000a"

    @Test(arguments: [
        (nil as String?, "T" as String?, true), ("A", "T", true), ("T", "T", false), ("T", nil, false),
        (nil, nil, false), (nil, "no UUID", false),
    ])
    func `comes after the token of a renewal that the period before it does not state`(
        before: String?,
        own: String?,
        isDeed: Bool
    ) throws {
        let tokens = ["T": Sample.token, "A": Self.another]
        let first = Self.period(0, reason: "PURCHASE", token: before.flatMap { tokens[$0] })
        try group.verifyAndHold(Self.whole(first))
        let renewal = Self.whole(Self.period(1, token: own.map { tokens[$0] ?? $0 }))
        #expect(try group.candidates(of: renewal) == [isDeed ? .token(Sample.token) : .holder(Sample.alice)])
    }

    @Test func `comes first where the period before is not known to state no token`() throws {
        try group.verifyAndHold(Self.first)
        let renewal = Self.whole(Self.period(1, token: Sample.token))
        #expect(try group.candidates(of: renewal) == [.holder(Sample.alice)], "an app receipt has shown it")
    }

    @Test func `has a renewal whose new token names nobody, whoever hands it in for whatever order`() throws {
        try group.verifyAndHold(Self.whole(Self.first))
        let renewal = Self.whole(Self.period(1, token: Sample.token))
        #expect(try group.candidates(of: renewal, HeldPurchase.naming) == [.token(Sample.token)])
        #expect(try group.refuse(renewal).sent.candidates == [.holder(Sample.alice)])
    }

    @Test func `is waited for by a renewal whose new token names nobody`() throws {
        _ = try group.verify(Self.whole(Self.first), Sample.byAlice)
        let renewal = Self.whole(Self.period(1, token: Sample.token))
        #expect(try group.candidates(of: renewal, Sample.byBob) == [.token(Sample.token)])
        #expect(try group.refuse(renewal).sent.isEmpty)
        let sent = try group.hold(Self.whole(Self.first)).sent
        #expect(try sent.candidates == [.token(Sample.token)], "it is registered meanwhile, or not")
        #expect(try group.refuse(renewal, attempt: 2).sent.candidates == [.holder(Sample.alice)])
    }

    @Test(arguments: [10, 31] as [Int64])
    func `has the seats that are added to a period of theirs, and only while it runs`(day: Int64) throws {
        try group.verifyAndHold(Self.whole(Self.first))
        let seats = Self.whole(Self.period(1, reason: "PURCHASE", token: Sample.token))
            .with(\.purchaseDate, Sample.start.milliseconds + day * 86_400_000)
            .with(\.additionalTransactionReason, "SEAT_ADDITION")
        let expected = day < 30 ? ClaimCandidate.holder(Sample.alice) : .token(Sample.token)
        #expect(try group.candidates(of: seats, Sample.byBob) == [expected])
    }

    @Test func `has a renewal that Apple has stated when an app receipt brings it again`() throws {
        let renewal = Self.whole(Self.period(1))
        _ = try group.verify(renewal)
        try group.verifyAndHold(Self.whole(Self.first))
        _ = try group.refuse(renewal)
        let named = try group.candidates(of: Self.period(1, reason: nil), HeldPurchase.naming)
        #expect(named == [.holder(Sample.alice)])
    }

    @Test func `is the buyer of a deed, for the renewals that repeat its token`() throws {
        try group.verifyAndHold(Self.whole(Self.first))
        let deed = Self.whole(Self.period(1, token: Sample.token))
        #expect(try group.candidates(of: deed) == [.token(Sample.token)])
        _ = try group.hold(deed, by: Sample.otherHolder)
        let renewal = Self.whole(Self.period(2, token: Sample.token))
        #expect(try group.candidates(of: renewal) == [.holder(Sample.bob)])
        let next = try group.candidates(of: Self.whole(Self.period(3)))
        #expect(next.isEmpty, "it waits for the one before it")
    }

    @Test
    func `comes after the order that a submission names, where Apple does not say that it is a renewal`()
        throws
    {
        try group.verifyAndHold(Self.first)
        #expect(try group.candidates(of: Self.period(1, reason: nil)) == [.caller(Sample.alice)])
        let named = try group.candidates(of: Self.period(3, reason: nil), HeldPurchase.naming)
        #expect(named == [.order(Sample.otherOrder)])
    }

    @Test func `lets a renewal wait for the purchase that it renews, whichever comes first`() throws {
        try group.verifyAndHold(Self.first)
        let again = Self.period(3, reason: "PURCHASE", token: Sample.token)
        #expect(try group.candidates(of: again, Sample.byBob) == [.token(Sample.token)])
        #expect(try group.candidates(of: Self.period(4), Sample.byBob).isEmpty)
        #expect(try group.candidates(of: Self.period(5)).isEmpty)
        let sent = try group.hold(again, by: Sample.otherHolder).sent
        #expect(try sent.candidates == [.holder(Sample.bob)])
        let next = try group.hold(Self.period(4), by: Sample.otherHolder).sent
        #expect(try next.proposals == [["1005": .holder(Sample.bob)]])
    }

    @Test func `gives its holder a renewal, whatever token it repeats and whoever hands it in`() throws {
        try group.verifyAndHold(Self.first)
        let renewal = Self.period(1, token: Sample.token)
        #expect(try group.candidates(of: renewal, Sample.byBob) == [.holder(Sample.alice)])
    }

    @Test func `moves to the buyer of a purchase, whose token comes first, and so do later renewals`() throws
    {
        try group.verifyAndHold(Self.first)
        let again = Self.period(3, reason: "PURCHASE", token: Sample.token)
        #expect(try group.candidates(of: again, Sample.byBob) == [.token(Sample.token)])
        _ = try group.hold(again, by: Sample.otherHolder)
        #expect(try group.candidates(of: Self.period(4)) == [.holder(Sample.bob)])
        let late = try group.candidates(of: Self.period(1))
        #expect(late == [.holder(Sample.alice)], "it goes to who held it then")
    }

    @Test func `comes before the submitter of a purchase that nothing names`() throws {
        try group.verifyAndHold(Self.first)
        let again = Self.period(3, reason: "PURCHASE")
        #expect(try group.candidates(of: again, Sample.byBob) == [.caller(Sample.alice)])
    }

    @Test func `is waited for by a purchase that nothing names while Orders is asked`() throws {
        _ = try group.verify(Self.period(0, reason: "PURCHASE", token: Sample.token), Sample.byAlice)
        let again = Self.period(3, reason: "PURCHASE")
        #expect(try group.candidates(of: again, Sample.byCarol).isEmpty)
        #expect(try group.candidates(of: again, HeldPurchase.naming) == [.order(Sample.otherOrder)])
        #expect(try group.refuse(again, .alreadyPaid).sent.candidates.isEmpty)
        #expect(try group.hold(Self.first).sent.candidates.contains(.order(Sample.otherOrder)))
    }

    @Test func `is waited for by all purchases behind one that waits, and by its first submission`() throws {
        _ = try group.verify(Self.period(0, reason: "PURCHASE", token: Sample.token), Sample.byAlice)
        let (second, third) = (Self.period(3, reason: "PURCHASE"), Self.period(6, reason: "PURCHASE"))
        #expect(try group.candidates(of: second, Sample.byCarol).isEmpty)
        #expect(try group.candidates(of: second, Sample.byBob).isEmpty)
        #expect(try group.candidates(of: third, Sample.byBob).isEmpty)
        #expect(try group.refuse(Self.first, .unknownOrder).sent.candidates == [.caller(Sample.alice)])
        #expect(
            try group.refuse(Self.first, .unknownOrder, attempt: 2).sent.candidates == [
                .caller(Sample.carol), .caller(Sample.carol),
            ]
        )
    }

    @Test func `is whom Orders is asked for, where neither a token nor an order names another one`() throws {
        _ = try group.verify(Self.first, Sample.byAlice)
        let again = Self.period(3, reason: "PURCHASE")
        #expect(try group.candidates(of: again, Sample.byBob) == [.caller(Sample.alice)])
    }

    @Test func `is waited for no longer where it is Apple who is asked then`() throws {
        let listed = Self.first.with(\.transactionReason, nil)
        _ = try group.verify(listed, HeldPurchase.naming, inquiry: .asked)
        // Apple is silent, so that Orders is asked about the order.
        try group.execute(
            """
            UPDATE claim SET state = 'proposed', candidate_kind = 'order', candidate = \(Sample.otherOrder),
              evidence = 'overdue', evidence_due_at = NULL
            """,
            in: ReceiptsGroup.partition(of: listed)
        )
        let again = Self.period(3, reason: "PURCHASE")
        #expect(try group.candidates(of: again, Sample.byCarol).isEmpty)
        #expect(
            try group.refuse(listed, .unknownOrder, attempt: 0).sent.candidates == [.caller(Sample.carol)]
        )
    }

    @Test func `is not waited for by a purchase while Apple is asked, who may be silent for hours`() throws {
        let listed = Self.first.with(\.transactionReason, nil)
        _ = try group.verify(listed, Sample.byAlice, inquiry: .asked)
        let again = Self.period(3, reason: "PURCHASE")
        #expect(try group.candidates(of: again, Sample.byBob) == [.caller(Sample.bob)])
    }

    @Test func `finds its buyer for renewals that came before the first period was held`() throws {
        let (second, third) = (Self.period(1), Self.period(2))
        #expect(try group.candidates(of: second).isEmpty)
        #expect(try group.candidates(of: third).isEmpty)
        _ = try group.verify(Self.first, Sample.byAlice)
        for (held, renewed) in [(Self.first, "1001"), (second, "1002")] {
            #expect(try group.hold(held).sent.proposals == [[renewed: .holder(Sample.alice)]])
        }
    }

    @Test func `finds its buyer for an orphan also when Orders names the holder to a restored store`() throws
    {
        #expect(try group.candidates(of: Self.period(1)).isEmpty, "an orphan")
        #expect(try group.recall(Self.first).sent.proposals == [["1001": .holder(Sample.alice)]])
    }

    @Test func `finds its buyer for an orphan also when the ledger has moved the period before it`() throws {
        try group.verifyAndHold(Self.first)
        #expect(try group.candidates(of: Self.period(1)) == [.holder(Sample.alice)])
        #expect(try group.refuse(Self.period(1)).sent.isEmpty, "an orphan")
        let sent = try group.answerTransfer(Self.first).sent
        #expect(try sent.candidates == [.holder(Sample.bob)])
    }

    @Test
    func
        `leaves a renewal behind an orphan to its own token, and orphans do not help each other for ever`()
        throws
    {
        #expect(try group.candidates(of: Self.period(1)).isEmpty, "an orphan")
        let second = Self.period(2, token: Sample.token)
        #expect(try group.candidates(of: second) == [.token(Sample.token)])
        #expect(try group.candidates(of: Self.period(3, token: Sample.token)).isEmpty, "waits for the second")
        let sent = try group.refuse(second).sent.bodies(ClaimProposedV1.self)
        #expect(sent.map(\.transaction.transactionId.rawValue) == ["1003"], "neither the first nor itself")
        #expect(try group.refuse(Self.period(3, token: Sample.token)).sent.isEmpty)
        #expect(try group.candidates(of: Self.period(4), Sample.byBob) == [.caller(Sample.bob)])
    }

    @Test func `helps on its first period, even if that is known by its transaction id alone`() throws {
        let first = Self.first.with(\.webOrderLineItemId, nil)
        #expect(try group.candidates(of: first).isEmpty, "nothing names its buyer")
        let second = Self.period(1, token: Sample.token)
        #expect(try group.candidates(of: second) == [.token(Sample.token)])
        #expect(try group.hold(second).sent.proposals == [["1000": .caller(Sample.alice)]])
    }

    @Test func `lets a renewal wait for a first period that is known by its transaction id alone`() throws {
        let first = Self.first.with(\.webOrderLineItemId, nil)
        _ = try group.verify(first, Sample.byAlice)
        #expect(try group.candidates(of: Self.period(1)).isEmpty)
        #expect(try group.hold(first).sent.proposals == [["1001": .holder(Sample.alice)]])
    }

    @Test func `keeps all who submit a renewal that waits for the period before it`() throws {
        _ = try group.verify(Self.first, Sample.byAlice)
        _ = try group.verify(Self.period(1), Sample.byBob)
        _ = try group.verify(Self.period(1), Sample.byAlice)
        _ = try group.hold(Self.first)
        let sent = try group.hold(Self.period(1)).sent
        #expect(try sent.bodies(ClaimConflictedV1.self).map(\.submission.submitter) == [Sample.bob])
    }

    @Test func `is nobody's business of another app, environment or product's chain`() throws {
        try group.verifyAndHold(Self.first)
        #expect(try group.candidates(of: Self.period(1).with(\.environment, "Sandbox")).isEmpty)
        #expect(try group.candidates(of: Sample.transaction("1000")).isEmpty, "a consumable has no chain")
    }

    @Test func `of a claim whose holder is refused goes on to the token and the submission`() {
        let chain = ChainHolder(Sample.alice, .first)
        var seen: [ClaimCandidate] = []
        var next = ClaimCandidate.first(token: Sample.token, submission: Sample.byBob, chain: chain)
        while let candidate = next, seen.count < 9 {
            seen.append(candidate)
            next = candidate.next(
                after: .unknownOrder,
                registered: nil,
                token: Sample.token,
                submission: Sample.byBob,
                chain: chain
            )
        }
        #expect(seen.prefix(2) == [.holder(Sample.alice), .token(Sample.token)])
        #expect(seen.count < 9, "candidates come to an end")
    }
}
