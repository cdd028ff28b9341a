import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Apple states of the chain 7 that it replaces the chain 9, which Bob holds in another partition.
@Suite struct `a chain that replaces another one` {
    private static let month: Int64 = 30 * 86_400
    private static let place = ReceiptsGroup.partition(of: period())
    private static let otherPlace = ReceiptsGroup.partition(of: period(of: "9"))

    private let group = ReceiptsGroup()

    init() throws { try #require(Self.place != Self.otherPlace) }

    /// The first period of a chain, or a later one; without line item, so that the first has no name.
    static func period(
        _ id: String? = nil,
        of chain: String = "7",
        replacing previous: String? = nil,
        reason: String = "PURCHASE",
        months: Int64 = 0,
        token: String? = nil,
        signed: Int64 = 0
    ) -> SignedTransaction {
        var period = Sample.transaction(
            id ?? chain,
            original: chain,
            type: ProductType.autoRenewable,
            signed: months * month + signed,
            purchased: months * month,
            token: token
        )
        period.expiresDate = period.purchaseDate + month * 1_000
        period.inAppOwnershipType = Ownership.purchased
        period.transactionReason = reason
        period.previousOriginalTransactionId = previous
        return period
    }

    private static let replacing = period(replacing: "9")

    /// Lets Bob hold a chain.
    private func holdReplaced(_ chain: String = "9") throws {
        try group.verifyAndHold(Self.period(of: chain), Sample.byBob, by: Sample.otherHolder)
    }

    private func questions(_ sent: [OutgoingEvent]) throws -> [String] {
        try sent.bodies(PreviousChainAskedV1.self).map(\.askedId.rawValue)
    }

    // MARK: The question

    @Test func `has its first purchase wait while the other one's partition is asked, once`() throws {
        try holdReplaced()
        let asked = try group.verifyUnanswered(Self.replacing)
        #expect(try questions(asked) == ["9"])
        let again = Self.period(replacing: "9", signed: 1)
        #expect(try group.verifyUnanswered(again, Sample.byAlice).isEmpty)
        #expect(try group.rows("SELECT 1 FROM claim", partition: Self.place).isEmpty)
        #expect(try group.answerAll(asked).candidates == [.caller(Sample.bob)])
        #expect(try group.record(Self.replacing).claim.facts?.signedDate == Sample.start.advanced(by: 1_000))
    }

    @Test func `waits while it is not known whose the other one is`() throws {
        _ = try group.verify(Self.period(of: "9"), Sample.byBob)
        let asked = try group.verifyUnanswered(Self.replacing, Sample.byAlice)
        #expect(try group.answerAll(asked).isEmpty)
        let sent = try group.hold(Self.period(of: "9"), by: Sample.otherHolder).sent
        #expect(try group.answerNames(sent).candidates == [.caller(Sample.bob)])
        let waiting = "SELECT 1 FROM previous_chain_question WHERE answer IS NULL"
        #expect(try group.rows(waiting, partition: Self.otherPlace).isEmpty)
    }

    @Test func `is answered twice if two chains that it replaces have one home`() throws {
        let store = { (context: HandlerContext) in PreviousChainStore(connection: context.connection) }
        for previous in ["9", "8"] {
            var asked = PreviousChainAskedV1(
                environment: .production,
                bundleId: Sample.app,
                originalTransactionId: TransactionID(unchecked: "7"),
                purchaseId: PurchaseID(unchecked: "7"),
                previousId: TransactionID(unchecked: previous),
                boughtAt: Timestamp(milliseconds: 0)
            )
            asked.askedId = TransactionID(unchecked: "6")
            _ = try group.run(0) { try store($0).keep(asked, nil) }
        }
        let chain = ChainKey(.production, Sample.app, TransactionID(unchecked: "6"))
        let kept = try group.run(0) { try store($0).questions(about: chain) }.outcome
        #expect(kept.map(\.asked.previousId.rawValue) == ["8", "9"])
    }

    @Test func `has what comes behind it in its chain wait, too`() throws {
        try holdReplaced()
        let asked = try group.verifyUnanswered(Self.replacing)
        let next = Self.period("71", reason: "RENEWAL", months: 1)
        let named = try group.verifyUnanswered(next, Sample.byAlice)
        #expect(try named.candidates.isEmpty && group.answerAll(named).candidates.isEmpty)
        #expect(try group.answerAll(asked).candidates == [.caller(Sample.bob)])
        let end = try group.hold(Self.replacing, by: Sample.otherHolder).sent
        #expect(try end.candidates == [.holder(Sample.bob)])
    }

    @Test func `has its renewal go to the holder, too`() throws {
        try holdReplaced()
        let renewal = Self.period(replacing: "9", reason: "RENEWAL", token: Sample.token)
        #expect(try group.candidates(of: renewal, Sample.byAlice) == [.holder(Sample.bob)])
    }

    @Test func `has a purchase go to whom its signed token names, then to the holder`() throws {
        try holdReplaced()
        let signed = Self.period(replacing: "9", token: Sample.token)
        #expect(try group.candidates(of: signed, Sample.byAlice) == [.token(Sample.token)])
        #expect(try group.refuse(signed).sent.candidates == [.caller(Sample.bob)])
    }

    @Test func `has a purchase pay the order that its phone names, then one of the holder`() throws {
        try holdReplaced()
        let naming = Sample.byAlice.naming(Sample.order)
        #expect(try group.candidates(of: Self.replacing, naming) == [.order(Sample.order)])
        #expect(try group.refuse(Self.replacing, .alreadyPaid).sent.candidates == [.caller(Sample.bob)])
    }

    @Test func `is whoever's hands it in where nobody held the other one when asked, and stays so`() throws {
        #expect(try group.candidates(of: Self.replacing, Sample.byAlice) == [.caller(Sample.alice)])
        try holdReplaced()
        #expect(try group.verifyUnanswered(Self.period(replacing: "9", signed: 1)).isEmpty)
    }

    @Test func `asks nobody about a purchase that somebody holds`() throws {
        try holdReplaced()
        try group.verifyAndHold(Self.period())
        let stated = try group.verifyUnanswered(Self.period(replacing: "9", signed: 1))
        #expect(try questions(stated).isEmpty)
    }

    @Test func `has a renewal go to whom its own period before belongs, not to the other one's holder`()
        throws
    {
        try holdReplaced()
        try group.verifyAndHold(Self.period(months: 1))
        let renewal = Self.period("71", replacing: "9", reason: "RENEWAL", months: 2)
        #expect(try group.candidates(of: renewal) == [.holder(Sample.alice)])
    }

    /// The attacker's order: a renewal has gone to Alice with the replaced chain, and to Bob once that one was his.
    @Test func `has a renewal go to whom a token names before it, though it went with the other chain twice`()
        throws
    {
        let renewal = Self.period("74", replacing: "9", reason: "RENEWAL", months: 4)
        try group.verifyAndHold(Self.period(of: "9", token: Sample.token), evidence: .token)
        try group.verifyAndHold(renewal, evidence: .holder)
        let bought = Self.period("93", of: "9", months: 3, token: "00000000-0000-4000-8000-00000000000a")
        let sent = try group.answerAll(
            group.verifyAndHold(bought, Sample.byBob, by: Sample.otherHolder, evidence: .token)
        )
        #expect(try taken(sent) == ["74 to \(Sample.bob)"])
        _ = try group.answerTransfer(
            renewal,
            isTaken: true,
            from: Sample.alice,
            transfer: 1,
            because: .evidence
        )
        let moved = Sample.moved(to: Sample.bob, Sample.otherOrder, of: Sample.bob)
        _ = try group.hold(renewal, by: moved, attempt: 0, evidence: .holder)
        let own = Self.period("72", months: 2, token: Sample.token)
        #expect(try taken(group.verifyAndHold(own, evidence: .token)) == ["74 to \(Sample.alice)"])
    }

    @Test func `has a renewal go to the other one's holder where nobody has its own period before`() throws {
        try holdReplaced()
        #expect(try group.candidates(of: Self.period("71", months: 1)).isEmpty)
        let renewal = Self.period("72", replacing: "9", reason: "RENEWAL", months: 2)
        #expect(try group.candidates(of: renewal) == [.holder(Sample.bob)])
        #expect(try group.hold(renewal, by: Sample.otherHolder).sent.candidates == [.caller(Sample.bob)])
    }

    @Test func `has a purchase that nobody handed in go to whom a token names between the two`() throws {
        try group.verifyAndHold(
            Self.period(of: "9", token: Sample.token),
            Sample.byBob,
            by: Sample.otherHolder,
            evidence: .token
        )
        let bundle = Self.period("73", replacing: "9", months: 3)
        #expect(try group.candidates(of: bundle) == [.caller(Sample.bob)])
        _ = try group.hold(bundle, by: Sample.otherHolder, evidence: .caller)
        let own = Self.period("72", months: 2, token: Sample.token)
        #expect(try taken(group.verifyAndHold(own, evidence: .token)) == ["73 to \(Sample.alice)"])
    }

    private func taken(_ sent: [OutgoingEvent]) throws -> [String] {
        try sent.bodies(TransferRequestedV1.self).map {
            "\($0.transaction.transactionId) to \($0.toBuyerId)"
        }
    }

    @Test func `that is replaced in turn goes with the other one's later period, whatever comes first`()
        throws
    {
        // Alice has the bundle with the chain that it replaces; Bob buys that one again, and it is replaced again.
        let bought = Self.period(of: "9", token: Sample.token)
        let again = Self.period("91", of: "9", months: 2, token: "00000000-0000-4000-8000-00000000000a")
        let (first, second) = (
            Self.period(replacing: "9", months: 1), Self.period("72", replacing: "9", months: 3)
        )
        for isFirstEarly in [true, false] {
            let group = ReceiptsGroup()
            try group.verifyAndHold(bought, evidence: .token)
            try group.verifyAndHold(again, Sample.byBob, by: Sample.otherHolder, evidence: .token)
            for bundle in isFirstEarly ? [first, second] : [second, first] {
                let buyer = bundle.transactionId == first.transactionId ? Sample.alice : Sample.bob
                #expect(try group.candidates(of: bundle, Sample.byCarol) == [.caller(buyer)])
                _ = try group.hold(bundle, by: buyer == Sample.bob ? Sample.otherHolder : Sample.holder)
            }
        }
    }

    @Test func `has a period of its own come before the other one's holder`() throws {
        try holdReplaced()
        let first = Self.period()
        _ = try group.verify(first, Sample.byAlice)
        let renewal = Self.period("71", replacing: "9", reason: "RENEWAL", months: 1)
        #expect(try group.candidates(of: renewal).isEmpty, "it waits for the first")
        #expect(try group.hold(first).sent.candidates == [.holder(Sample.alice)])
    }

    @Test(arguments: [Ownership.familyShared, Ownership.assigned])
    func `asks nobody for what somebody else paid for`(ownership: String) throws {
        try holdReplaced()
        let copy = Self.replacing.with(\.inAppOwnershipType, ownership)
        let sent = try group.verifyUnanswered(copy, Sample.byAlice)
        #expect(try questions(sent).isEmpty)
        #expect(try sent.candidates == [.caller(Sample.alice)])
    }

    @Test func `asks nobody about itself, or about what is no id`() throws {
        for previous in ["7", "", "no id"] {
            #expect(Self.period(replacing: previous).replacedChain == nil)
        }
        #expect(Self.replacing.with(\.type, ProductType.consumable).replacedChain == nil)
        #expect(Self.replacing.replacedChain?.rawValue == "9")
    }

    // MARK: The answer

    @Test func `is answered at once where the other one lies in the same partition`() throws {
        try #require(ReceiptsGroup.partition(of: Self.period(of: "5")) == Self.place)
        try holdReplaced("5")
        let sent = try group.verifyUnanswered(Self.period(replacing: "5"))
        #expect(try questions(sent).isEmpty)
        #expect(try sent.candidates == [.caller(Sample.bob)])
    }

    @Test func `finds the holder at the home to which the other one leads`() throws {
        let paid = Self.period("8", of: "9", months: 1)
        try group.verifyAndHold(paid, Sample.byBob, by: Sample.otherHolder)
        _ = try group.verify(Self.period("8", of: "30", months: 1, signed: 1))
        #expect(try group.candidates(of: Self.period(replacing: "30", months: 2)) == [.caller(Sample.bob)])
    }

    @Test func `keeps all that came with the statement`() throws {
        group.policies[Sample.app] = Sample.policy(apis: [.serverAPI])
        let naming = Sample.byAlice.naming(Sample.order)
        group.answersNames = false
        let asked = try group.verify(
            Self.replacing,
            naming,
            renewal: RenewalFacts(signedDate: Sample.start, autoRenewStatus: 1),
            consumptionAskedAt: group.now
        ).sent
        #expect(try group.answerAll(asked).candidates == [.order(Sample.order)])
        for table in ["consumption_request", "renewal"] {
            #expect(try group.rows("SELECT 1 FROM \(table)", partition: Self.place).count == 1)
        }
    }

    @Test func `is waited for by a purchase of which Apple has said the last word meanwhile`() throws {
        try holdReplaced()
        var listed = Self.period()
        (listed.inAppOwnershipType, listed.transactionReason) = (nil, nil)
        #expect(try group.verify(listed, Sample.byAlice, inquiry: .asked).sent.isEmpty)
        #expect(try group.record(listed).claim.state == .waiting)
        let asked = try group.verifyUnanswered(Self.period(replacing: "9", signed: 1))
        #expect(try questions(asked) == ["9"])
        #expect(try group.completeEvidence(of: listed).isEmpty)
        #expect(try group.answerAll(asked).candidates == [.caller(Sample.bob)])
    }

    @Test func `is asked for again whichever partition is restored`() throws {
        func repeated(_ partition: Int) throws -> [String] {
            try questions(group.redrive(from: Self.place, to: .receipts, partition).sent)
        }
        let asked = try group.verifyUnanswered(Self.replacing, Sample.byAlice)
        for partition in 0..<ReceiptsGroup.partitions { #expect(try repeated(partition) == ["9"]) }
        #expect(try group.gauges(Self.place)["counterfoil_names_waiting"] == 1)
        #expect(try group.answerAll(asked).candidates == [.caller(Sample.alice)])
        #expect(try repeated(Self.otherPlace) == ["9"], "a restored store does not know whom it has answered")
        #expect(try group.gauges(Self.place)["counterfoil_names_waiting"] == 0)
    }

    @Test func `is nothing to a restored store that has not asked`() throws {
        let asked = try group.verifyUnanswered(Self.replacing, Sample.byAlice)
        for table in ["name_message", "previous_chain"] {
            try group.execute("DELETE FROM \(raw: table)", in: Self.place)
        }
        #expect(try group.answerAll(asked).isEmpty)
        #expect(try questions(group.verifyUnanswered(Self.replacing, Sample.byAlice)) == ["9"])
    }

    @Test func `keeps question and answer for the trace of its purchase`() throws {
        let asked = try group.verifyUnanswered(Self.replacing)
        let answered = try group.deliver(asked)
        #expect(group.recorded == asked.map { "7: \($0.id)" })
        #expect(answered.map(\.type) == [PreviousChainAnsweredV1.type])
        _ = try group.deliver(answered)
        #expect(group.recorded == answered.map { "7: \($0.id)" })
    }

    // MARK: The state machine

    private static let states: [PreviousChain] = [
        .unknown, .asked, .told(nil), .told(holder(Sample.bob)), .told(holder(Sample.bob, isSigned: true)),
    ]
    private static let events: [PreviousChain.Event] = [
        .stated(isDecided: false), .stated(isDecided: true), .told(nil), .told(holder(Sample.alice)),
        .told(holder(Sample.alice, isSigned: true)), .told(holder(Sample.bob, isSigned: true)),
    ]

    private static func holder(_ buyer: BuyerID, isSigned: Bool = false) -> PreviousChain.Holder {
        PreviousChain.Holder(buyer: buyer, purchasedAt: Timestamp(milliseconds: 0), isSigned: isSigned)
    }

    @Test(arguments: states, events)
    func `changes by a first question, its first answer and a signed token alone, and twice is once`(
        state: PreviousChain,
        event: PreviousChain.Event
    ) {
        var changed = state
        let directives = changed.apply(event)
        let first = changed
        #expect(changed.apply(event).isEmpty && changed == first)
        switch (state, event) {
        case (.unknown, .stated(isDecided: false)):
            #expect(first == .asked && directives == [.ask])
        case (.asked, .told(let holder)):
            #expect(first == .told(holder) && directives.isEmpty)
        case (.unknown, .told(let holder?)) where holder.isSigned:
            #expect(first == .told(holder) && directives == [.weigh])
        case (.told(let known), .told(let holder?)) where holder.isSigned && holder.buyer != known?.buyer:
            #expect(first == .told(holder) && directives == [.weigh])
        case (.unknown, .stated(isDecided: true)), (.unknown, .told), (.asked, .stated), (.told, .stated),
            (.told, .told):
            #expect(first == state && directives.isEmpty)
        }
    }
}
