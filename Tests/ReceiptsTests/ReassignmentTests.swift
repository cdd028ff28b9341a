import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// What operators decide of a purchase: an orphan by one of them, a move of amounts by two.
@Suite struct `Operators decide whose a purchase is` {
    private static let lin = OperatorID(unchecked: "o000000000001")
    private static let mei = OperatorID(unchecked: "o000000000002")
    private let held = HeldPurchase()

    private var group: ReceiptsGroup { held.group }
    private var partition: Int { ReceiptsGroup.partition(of: held.castle) }
    private var id: ProposalID {
        ProposalID(.move, shard: Shard(rawValue: UInt16(partition)), digest: Array(0..<14))
    }

    private func assign() throws -> RequestOutcome<ReassignmentV1> {
        let request = ClaimReassignV1(
            purchaseId: PurchaseID(unchecked: "5"),
            environment: .production,
            buyerId: Sample.bob,
            reason: "ticket 4711",
            decidedBy: Self.lin,
            isDryRun: false,
            onlyOrphan: true
        )
        return try group.handle(request, in: partition) { message, context in
            try RequestOutcome<ReassignmentV1> { try OnClaimReassign()(message, in: context) }
        }.outcome
    }

    private func propose(
        _ purchase: String = "5",
        to buyer: BuyerID = Sample.bob
    ) throws -> RequestOutcome<ReassignmentProposalV1> {
        let request = ReassignmentProposeV1(
            proposalId: id,
            bundleId: Sample.app,
            environment: .production,
            purchaseId: PurchaseID(unchecked: purchase),
            buyerId: buyer,
            reason: "ticket 4711",
            operatorId: Self.lin
        )
        return try group.handle(request, in: partition) { message, context in
            try RequestOutcome<ReassignmentProposalV1> { try OnReassignmentPropose()(message, in: context) }
        }.outcome
    }

    private func confirm(
        by acting: OperatorID = `Operators decide whose a purchase is`.mei
    ) throws -> (outcome: RequestOutcome<ReassignmentProposalV1>, sent: [OutgoingEvent]) {
        let request = ReassignmentConfirmV1(proposalId: id, operatorId: acting)
        return try group.handle(request, in: partition) { message, context in
            try RequestOutcome<ReassignmentProposalV1> { try OnReassignmentConfirm()(message, in: context) }
        }
    }

    private func acts() throws -> [[Value]] {
        try group.rows("SELECT kind, operator_id FROM act ORDER BY number", partition: partition)
    }

    @Test func `an orphan is assigned by one, to whom it is proposed`() throws {
        _ = try group.verify(held.castle)
        #expect(try held.claim().state == .orphan)
        #expect(try assign().reply?.effect == .proposed)
        #expect(try held.claim().state == .proposed(.caller(Sample.bob)))
        #expect(try acts() == [[.text("assigned"), .text(Self.lin.rawValue)]])
    }

    @Test func `an orphan that is assigned again is on its way, and then the buyer's, for that buyer alone`()
        throws
    {
        _ = try group.verify(held.castle)
        #expect(try assign().reply?.effect == .proposed)
        #expect(try assign().reply?.effect == .underWay)
        #expect(try held.claim().state == .proposed(.caller(Sample.bob)))
        #expect(try held.reassign(to: Sample.alice).outcome.refusal?.reason == "undecided")
        let holder = Claim.Holder(buyer: Sample.bob, order: Sample.otherOrder)
        _ = try group.hold(held.castle, by: holder, attempt: 1)
        #expect(try assign().reply?.effect == .nothing)
        #expect(try acts().count == 1)
    }

    @Test func `what somebody holds is never assigned, and leaves no trace`() throws {
        try held.holdWeakly()
        #expect(try assign().refusal?.reason == "held")
        #expect(try acts().isEmpty)
        #expect(try held.claim().challenge == nil)
    }

    @Test func `what waits for Apple's word is never assigned, and leaves no trace`() throws {
        _ = try group.verify(held.bare, Sample.byAlice, inquiry: .asked)
        #expect(try assign().refusal?.reason == "awaitsApple")
        #expect(try acts().isEmpty)
        #expect(try held.claim().state == .waiting)
        _ = try group.completeEvidence(of: held.bare)
        #expect(try held.claim().state == .proposed(.caller(Sample.alice)))
    }

    @Test func `a move is proposed by one and confirmed by another, and then it goes once`() throws {
        try held.holdWeakly()
        #expect(try propose().reply?.holderId == Sample.alice)
        #expect(try held.claim().challenge == nil)
        #expect(try confirm(by: Self.lin).outcome.refusal == .ownProposal)
        let confirmed = try confirm()
        #expect(confirmed.outcome.reply?.confirmedBy == Self.mei)
        #expect(try confirmed.sent.bodies(TransferRequestedV1.self).map(\.cause) == [.reassign])
        #expect(try confirm().sent.isEmpty)
        let kinds = try acts().compactMap(\.first)
        #expect(kinds == [.text("moveProposed"), .text("moveConfirmed")])
    }

    @Test func `a move that is proposed again is the same one, and with other content refused`() throws {
        try held.holdWeakly()
        let first = try #require(propose().reply)
        #expect(try propose().reply == first)
        #expect(try propose("6").refusal == .changedProposal)
        #expect(try propose(to: Sample.alice).refusal == .changedProposal)
        #expect(try acts().count == 1)
    }

    @Test func `a move is void after a week`() throws {
        try held.holdWeakly()
        _ = try propose()
        group.now = group.now.advanced(by: Approval.validMilliseconds + 1)
        #expect(try confirm().outcome.refusal == .expiredProposal)
        #expect(try held.claim().challenge == nil)
    }

    private func withdraw(
        by acting: OperatorID = `Operators decide whose a purchase is`.lin,
        onlyOwn: Bool? = nil
    ) throws -> RequestOutcome<ReassignmentProposalV1> {
        let request = ReassignmentWithdrawV1(
            proposalId: id,
            reason: "a mistake",
            operatorId: acting,
            onlyOwn: onlyOwn
        )
        return try group.handle(request, in: partition) { message, context in
            try RequestOutcome<ReassignmentProposalV1> { try OnReassignmentWithdraw()(message, in: context) }
        }.outcome
    }

    @Test func `a move is withdrawn by its proposer, and by no other without the role`() throws {
        try held.holdWeakly()
        _ = try propose()
        #expect(try withdraw(by: Self.mei, onlyOwn: true).refusal == .othersProposal)
        #expect(try withdraw(by: Self.lin, onlyOwn: true).reply?.endedAt == group.now)
    }

    @Test func `a move that is withdrawn is void for ever, and its acts are found by the purchase`() throws {
        try held.holdWeakly()
        _ = try propose()
        let withdrawn = try #require(withdraw().reply)
        #expect(withdrawn.endedAt == group.now)
        #expect(try withdraw().reply == withdrawn)
        #expect(try confirm().outcome.refusal == .voidProposal)
        #expect(try held.claim().challenge == nil)
        let rows = try group.rows("SELECT kind, subject FROM act ORDER BY number", partition: partition)
        #expect(rows == [[.text("moveProposed"), .text("5")], [.text("moveWithdrawn"), .text("5")]])
    }

    @Test func `a move whose holder has changed is void for ever, though the holder changes back`() throws {
        try held.holdWeakly()
        _ = try propose()
        func change(to holder: BuyerID) throws {
            try group.execute(
                """
                UPDATE reassignment_proposal
                SET document = json_set(document, '$.holderId', \(holder.rawValue))
                """,
                in: partition
            )
        }
        try change(to: BuyerID(unchecked: "somebody"))
        #expect(try confirm().outcome.refusal == .voidProposal)
        try change(to: Sample.alice)
        #expect(try confirm().outcome.refusal == .voidProposal)
        #expect(try held.claim().challenge == nil)
        #expect(try acts().compactMap(\.first) == [.text("moveProposed"), .text("moveVoided")])
    }

    @Test func `a move to whom it moves already is not void, because that may fail`() throws {
        try held.holdWeakly()
        _ = try propose()
        #expect(try held.reassign(to: Sample.bob).outcome.reply?.effect == .moves)
        let confirmed = try confirm()
        #expect(confirmed.outcome.refusal == .undecided)
        #expect(confirmed.sent.isEmpty)
        #expect(try acts().compactMap(\.first) == [.text("moveProposed"), .text("reassigned")])
        #expect(try withdraw().reply != nil)
    }

    @Test func `a move to whom it has gone is void, and says that its holder has changed`() throws {
        try held.holdWeakly()
        _ = try propose()
        _ = try held.reassign(to: Sample.bob)
        _ = try held.answerTransfer(held.castle, isTaken: true, cause: .reassign)
        _ = try held.becomeHeld(held.castle)
        #expect(try confirm().outcome.refusal == .voidProposal)
        let reasons = try group.rows("SELECT reason FROM act WHERE kind = 'moveVoided'", partition: partition)
        #expect(reasons == [[.text("its holder has changed")]])
    }

    @Test func `a move is listed until it is decided, by an index of its time`() throws {
        try held.holdWeakly()
        _ = try propose()
        let question = DeskListV1(list: .proposals, before: nil, after: nil, limit: 50)
        func listed() throws -> [ProposalID?] {
            let page = try group.handle(question, in: partition, OnDeskList().callAsFunction).outcome.reply
            return try #require(page).rows.map(\.proposalId)
        }
        #expect(try listed() == [id])
        let plan = try group.plan(of: ProposedMoves.query(question, at: group.now))
        #expect(plan.count == 1 && plan[0].contains("INDEX reassignment_proposed ((proposed_at,"), "\(plan)")
        _ = try confirm()
        #expect(try listed().isEmpty)
    }

    @Test func `a move is found by its id, with what another operator confirms, and so are its acts`() throws
    {
        try held.holdWeakly()
        let proposal = try #require(propose().reply)
        func look() throws -> FoundFacts {
            let question = FactsFindV1(texts: [id.rawValue], bundleIds: [])
            return try #require(
                group.handle(question, in: partition, OnFactsFind().callAsFunction).outcome.reply
            )
        }
        let found = try look()
        let fact = try #require(found.facts.first { $0.kind == .moveProposed })
        #expect(fact.reference == id.rawValue && fact.word == "proposed")
        #expect(fact.otherBuyerId == proposal.holderId && fact.productId == proposal.productId)
        #expect(found.related.contains(proposal.purchaseId.rawValue))
        let question = DeskListV1(list: .proposals, before: nil, after: nil, limit: 50)
        let page = try group.handle(question, in: partition, OnDeskList().callAsFunction).outcome.reply
        let row = try #require(page?.rows.first)
        #expect(row.holderId == proposal.holderId && row.proposedBy == proposal.proposedBy)
        #expect(row.productId == proposal.productId && row.quantity == proposal.quantity)
        _ = try confirm()
        #expect(try look().facts.first { $0.kind == .moveProposed }?.word == "confirmed")
        let acts = try group.rows(
            "SELECT kind FROM act WHERE proposal_id = '\(id)' ORDER BY number",
            partition: partition
        )
        #expect(acts == [[.text("moveProposed")], [.text("moveConfirmed")]])
    }

    @Test func `whoever has got a purchase by a move holds it since then, and not since before`() throws {
        try held.holdWeakly()
        _ = try held.reassign(to: Sample.bob)
        group.now = group.now.advanced(by: 60_000)
        _ = try held.answerTransfer(held.castle, isTaken: true, cause: .reassign)
        _ = try held.becomeHeld(held.castle)
        let question = FactsFindV1(texts: ["5"], bundleIds: [])
        let answer = try group.handle(question, in: partition, OnFactsFind().callAsFunction).outcome.reply
        let facts = try #require(answer).facts
        let (moved, holder) = (facts.last { $0.kind == .moved }, facts.last { $0.kind == .held })
        #expect(moved != nil && moved?.buyerId == holder?.buyerId)
        #expect(holder?.at == moved?.at)
    }

    @Test func `a move that is confirmed is not withdrawn`() throws {
        try held.holdWeakly()
        _ = try propose()
        _ = try confirm()
        #expect(try withdraw().refusal?.reason == "confirmed")
        #expect(try acts().count == 2)
    }

    @Test func `a move of what nobody holds is refused`() throws {
        _ = try group.verify(held.castle)
        #expect(try propose().refusal?.reason == "notHeld")
        #expect(try acts().isEmpty)
    }
}
