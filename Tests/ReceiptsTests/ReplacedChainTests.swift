import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Rule: who asks about a replaced chain is answered once it is decided whose its periods are.
@Suite struct `a replaced chain` {
    private typealias Chains = `a chain that replaces another one`

    private static let place = ReceiptsGroup.partition(of: first())
    private static let bundle = Chains.period(replacing: "9")

    private let group = ReceiptsGroup()

    private static func first(token: String? = nil, signed: Int64 = 0) -> SignedTransaction {
        Chains.period(of: "9", token: token, signed: signed)
    }

    /// A period that was bought after a lapse.
    private static func second(token: String? = nil, signed: Int64 = 0) -> SignedTransaction {
        Chains.period("91", of: "9", months: 1, token: token, signed: signed)
    }

    /// Hands a period in as an app receipt lists it, of which Apple is being asked.
    private func list(_ signed: SignedTransaction, _ submission: Submission) throws {
        let listed = signed.with(\.inAppOwnershipType, nil).with(\.transactionReason, nil)
        _ = try group.verify(listed, submission, inquiry: .asked)
        #expect(try group.record(signed).claim.state == .waiting)
    }

    /// Apple notifies of the bundle, whose question is kept.
    private func askInVain(_ bundle: SignedTransaction = Self.bundle) throws {
        #expect(try group.verify(bundle).sent.candidates.isEmpty)
        #expect(try isAsked())
    }

    private func isAsked() throws -> Bool {
        let questions = "SELECT 1 FROM previous_chain_question WHERE answer IS NULL"
        return try !group.rows(questions, partition: Self.place).isEmpty
    }

    /// Orders says whom the token of the challenge names.
    private func answer(_ challenged: [OutgoingEvent], _ buyer: BuyerID) throws -> [OutgoingEvent] {
        let asked = try #require(try challenged.bodies(ClaimChallengedV1.self).first)
        let body = ChallengeAnsweredV1(
            asked.transaction,
            attempt: asked.attempt,
            buyerId: buyer,
            orderId: Sample.order
        )
        let sent = try group.handle(body, in: Self.place, OnChallengeAnswered().callAsFunction).sent
        return try group.answerNames(sent)
    }

    /// Bob has the first period by a named order, as Apple was silent.
    private func holdUnheard() throws {
        try list(Self.first(), Sample.byBob)
        _ = try group.hold(Self.first(), by: Sample.otherHolder, evidence: .order)
    }

    @Test func `that a named order has while Apple is silent is whose Apple's word says`() throws {
        try holdUnheard()
        try askInVain()
        let word = try group.verify(Self.first(token: Sample.token, signed: 1)).sent
        #expect(try answer(word, Sample.alice).candidates.isEmpty)
        #expect(try group.answerNames(take(Self.first())).candidates.isEmpty)
        #expect(try isAsked(), "it is on its way")
        #expect(try recallMoved(Self.first()).candidates == [.caller(Sample.alice)])
    }

    @Test func `that a named order has while Apple is silent stays so where Apple states no token`() throws {
        try holdUnheard()
        try askInVain()
        #expect(try group.verify(Self.first(signed: 1)).sent.candidates == [.caller(Sample.bob)])
        #expect(try !isAsked())
    }

    @Test func `that a named order has while Apple is silent stays so where Apple knows no more`() throws {
        try holdUnheard()
        try askInVain()
        let sent = try group.completeEvidence(of: Self.first())
        #expect(try group.answerNames(sent).candidates == [.caller(Sample.bob)])
    }

    @Test func `that is challenged is its holder's once the challenge has failed`() throws {
        try group.verifyAndHold(Self.first(), Sample.byBob, by: Sample.otherHolder)
        let challenged = try group.verify(Self.first(token: Sample.token, signed: 1)).sent
        try askInVain()
        #expect(try answer(challenged, Sample.bob).candidates == [.caller(Sample.bob)])
    }

    @Test func `is not its holder's before it is decided whose its last period is`() throws {
        _ = try group.verify(Self.first(), Sample.byBob)
        _ = try group.hold(Self.first(), by: Sample.otherHolder, evidence: .reassigned)
        try list(Self.second(), Sample.byAlice)
        try askInVain(Chains.period(replacing: "9", months: 2))
        let word = try group.verify(Self.second(token: Sample.token, signed: 1)).sent
        #expect(try word.candidates == [.token(Sample.token)])
        let sent = try group.hold(Self.second(), evidence: .token).sent
        #expect(try group.answerNames(sent).candidates == [.caller(Sample.alice)])
    }

    // MARK: A token that comes later

    /// Bob's ledger has taken it for Alice.
    private func take(_ signed: SignedTransaction) throws -> [OutgoingEvent] {
        try group.answerTransfer(signed, from: Sample.bob, to: Sample.alice, because: .evidence).sent
    }

    /// Orders says that it has moved to Alice.
    private func recallMoved(
        _ signed: SignedTransaction,
        _ evidence: HolderEvidence = .token
    ) throws -> [OutgoingEvent] {
        try group.recall(signed, by: Sample.moved(to: Sample.alice), evidence: evidence).sent
    }

    /// Bob has the first period, because he was the first to hand it in, and the bundle with it.
    private func holdBundle(_ evidence: HolderEvidence = .caller) throws {
        try group.verifyAndHold(Self.first(), Sample.byBob, by: Sample.otherHolder)
        #expect(try group.verify(Self.bundle).sent.candidates == [.caller(Sample.bob)])
        _ = try group.hold(Self.bundle, by: Sample.otherHolder, evidence: evidence)
        let expected = evidence == .caller ? HolderEvidence.holder : evidence
        #expect(try group.record(Self.bundle).claim.heldBy == expected)
    }

    /// The token of the first period names Alice, of which Apple tells late.
    private func moveFirst() throws -> [OutgoingEvent] {
        let word = try group.verify(Self.first(token: Sample.token, signed: 1)).sent
        _ = try answer(word, Sample.alice)
        _ = try take(Self.first())
        return try recallMoved(Self.first())
    }

    /// To whom the bundle, or another purchase, is to go.
    private func newcomers(_ sent: [OutgoingEvent], of id: String = "7") throws -> [BuyerID] {
        try sent.bodies(TransferRequestedV1.self).filter { $0.transaction.transactionId.rawValue == id }
            .map(\.toBuyerId)
    }

    @Test func `that a token has moved takes along what its former holder has with it`() throws {
        try holdBundle()
        #expect(try newcomers(moveFirst()) == [Sample.alice])
    }

    @Test func `that a token has moved takes along what replaces its own follower in turn`() throws {
        try holdBundle()
        let next = Chains.period(of: "6", replacing: "7")
        #expect(try group.verify(next).sent.candidates == [.caller(Sample.bob)])
        _ = try group.hold(next, by: Sample.otherHolder)
        #expect(try newcomers(moveFirst()) == [Sample.alice])
        _ = try take(Self.bundle)
        #expect(try newcomers(recallMoved(Self.bundle, .holder), of: "6") == [Sample.alice])
    }

    @Test func `that tokens move twice takes along twice what is held with it`() throws {
        try group.verifyAndHold(Self.first(), Sample.byBob, by: Sample.otherHolder)
        #expect(try group.verify(Self.laterBundle).sent.candidates == [.caller(Sample.bob)])
        _ = try group.hold(Self.laterBundle, by: Sample.otherHolder)
        let id = Self.laterBundle.transactionId
        #expect(try newcomers(moveFirst(), of: id) == [Sample.alice])
        _ = try take(Self.laterBundle)
        _ = try recallMoved(Self.laterBundle, .holder)
        let held = try group.verifyAndHold(
            Self.second(token: Sample.token),
            by: Sample.otherHolder,
            evidence: .token
        )
        #expect(try newcomers(group.answerNames(held), of: id) == [Sample.bob])
    }

    @Test(arguments: [HolderEvidence.token, .registered, .order, .reassigned])
    func `that a token has moved takes nothing along that somebody has by more`(
        evidence: HolderEvidence
    ) throws {
        try holdBundle(evidence)
        #expect(try newcomers(moveFirst()).isEmpty)
    }

    @Test func `that a restore has moved takes nothing along`() throws {
        try holdBundle()
        _ = try group.verify(Self.first(), Sample.byAlice.restoring)
        let taken = try group.answerTransfer(Self.first(), from: Sample.bob, to: Sample.alice).sent
        #expect(try newcomers(group.answerNames(taken)).isEmpty)
        #expect(try group.record(Self.first()).claim.state.holder?.buyer == Sample.alice)
    }

    @Test func `that somebody else buys again later takes nothing along`() throws {
        try holdBundle()
        let held = try group.verifyAndHold(Self.second(token: Sample.token), evidence: .token)
        #expect(try newcomers(group.answerNames(held)).isEmpty)
    }

    @Test func `tells of a token again when who has asked is restored, and once`() throws {
        try holdBundle()
        group.answersNames = false
        _ = try moveFirst()
        group.answersNames = true
        let asker = ReceiptsGroup.partition(of: Self.bundle)
        let again = try group.redrive(from: Self.place, to: .receipts, asker).sent
        let answers = again.filter { $0.type == PreviousChainAnsweredV1.type }
        #expect(try answers.bodies(PreviousChainAnsweredV1.self).map(\.buyerId) == [Sample.alice])
        #expect(try newcomers(group.answerNames(answers)) == [Sample.alice])
        #expect(try newcomers(group.answerNames(answers)).isEmpty)
    }

    @Test func `is asked again by who was answered when it is restored`() throws {
        try holdBundle()
        try group.execute("DELETE FROM previous_chain_question", in: Self.place)
        #expect(try newcomers(moveFirst()).isEmpty)
        let asker = ReceiptsGroup.partition(of: Self.bundle)
        let again = try group.redrive(from: asker, to: .receipts, Self.place).sent
        let questions = again.filter { $0.type == PreviousChainAskedV1.type }
        #expect(try newcomers(group.answerNames(questions)) == [Sample.alice])
    }

    // MARK: What was bought later

    private static let laterBundle = Chains.period(replacing: "9", months: 1)
    private static let back = Chains.period("92", of: "9", replacing: "7", months: 2)

    @Test func `that replaces the one that has replaced it waits for nothing that was bought later`() throws {
        try list(Self.first(), Sample.byBob)
        #expect(try group.verify(Self.laterBundle).sent.candidates.isEmpty)
        #expect(try group.verify(Self.back).sent.candidates.isEmpty)
        _ = try group.completeEvidence(of: Self.first())
        let answered = try group.answerNames(group.hold(Self.first(), by: Sample.otherHolder).sent)
        #expect(try answered.candidates == [.caller(Sample.bob)])
        let next = try group.answerNames(group.hold(Self.laterBundle, by: Sample.otherHolder).sent)
        #expect(try next.candidates == [.caller(Sample.bob)])
        #expect(try group.record(Self.back).claim.state == .proposed(.caller(Sample.bob)))
    }

    @Test
    func `whose first period comes behind a later one that waits for the other chain does not wait for it`()
        throws
    {
        #expect(try group.verifyUnanswered(Self.back).candidates.isEmpty)
        #expect(try group.verify(Self.first(), Sample.byBob).sent.candidates == [.caller(Sample.bob)])
    }

    @Test func `lets none of its messages go on before one that was bought earlier and waits`() throws {
        let later = try group.verifyUnanswered(Self.back, Sample.byBob)
        let first = try group.verify(Chains.period("91", of: "9", replacing: "8", months: 1), Sample.byBob)
            .sent
        #expect(try group.answerAll(later).proposals.isEmpty)
        #expect(try group.answerNames(first).proposals.first == ["91": .caller(Sample.bob)])
    }

    @Test func `goes by who had it when it was replaced, whoever bought it again since`() throws {
        try group.verifyAndHold(Self.first(), Sample.byBob, by: Sample.otherHolder)
        let again = Chains.period("92", of: "9", months: 2, token: Sample.token)
        try group.verifyAndHold(again, Sample.byAlice, evidence: .token)
        #expect(try group.verify(Self.laterBundle, Sample.byAlice).sent.candidates == [.caller(Sample.bob)])
    }

    @Test func `whose own question waits is not nobody's`() throws {
        let replaced = Chains.period(of: "9", replacing: "8")
        let asked = try group.verifyUnanswered(replaced, Sample.byBob)
        let question = try group.verify(Self.laterBundle, Sample.byAlice).sent
        #expect(try group.answerAll(question).candidates.isEmpty)
        #expect(try isAsked())
        #expect(try group.answerNames(asked).candidates == [.caller(Sample.bob)])
        let sent = try group.hold(replaced, by: Sample.otherHolder).sent
        #expect(try group.answerNames(sent).candidates == [.caller(Sample.bob)])
    }
}
