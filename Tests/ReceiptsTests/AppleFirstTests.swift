import Contracts
import Database
import Delivery
import Domain
import TestKit
import Testing

@testable import Receipts

/// Rule: of a purchase that only an app receipt lists, Apple is asked whose it is before anybody weak holds it.
@Suite struct `a purchase that an app receipt lists` {
    private let group: ReceiptsGroup
    private let apple: AskedApple
    private let home = ReceiptsGroup.partition(of: Sample.alice)

    init() throws {
        (group, apple) = try ReceiptsGroup.asking()
        group.proofs.contents["receipt"] = .success([bare])
    }

    /// As the receipt has it.
    private let bare = Sample.transaction("5", type: ProductType.nonConsumable, signed: 1)

    /// As Apple states it.
    private func stated(token: String? = nil) -> SignedTransaction {
        Sample.transaction("5", type: ProductType.nonConsumable, token: token)
            .with(\.inAppOwnershipType, "PURCHASED")
    }

    /// Hands the receipt in, and brings its transaction to the claim; returns what the claim sends.
    private func submit(
        by buyer: BuyerID = Sample.alice,
        naming order: OrderID? = nil
    ) throws -> [OutgoingEvent] {
        try group.deliver(group.submit("receipt", by: buyer, hint: order?.rawValue, kind: .appReceipt).sent)
    }

    private var place: Int { ReceiptsGroup.partition(of: bare) }

    /// Has Apple answer what is due in a partition, and tells the claim.
    private func answer(_ partition: Int) async throws -> [OutgoingEvent] {
        try await group.deliver(group.askApple(partition).sent)
    }

    private func state() throws -> Claim.State { try group.record(bare).claim.state }

    @Test func `without a key is the caller's at once`() throws {
        group.policies = [Sample.app: Sample.policy]
        #expect(try submit().candidates == [.caller(Sample.alice)])
    }

    @Test func `waits for Apple, whose token comes before who hands it in`() async throws {
        #expect(try submit(by: Sample.bob).isEmpty)
        #expect(try state() == .waiting)
        apple.knows(stated(token: Sample.token))
        let sent = try await group.askApple(ReceiptsGroup.partition(of: Sample.bob)).sent
        let news = try sent.bodies(TransactionVerifiedV1.self)
        #expect(news.map(\.submission) == [nil], "its submission came before it, and is judged once")
        #expect(try group.deliver(sent).candidates == [.token(Sample.token)])
        #expect(try sent.bodies(EvidenceCompletedV1.self).isEmpty)
    }

    @Test func `is the caller's once Apple states it without a token`() async throws {
        _ = try submit()
        apple.knows(stated())
        #expect(try await answer(home).candidates == [.caller(Sample.alice)])
    }

    @Test func `waits no longer when a signed transaction states it`() throws {
        _ = try submit(by: Sample.bob)
        let sent = try group.verify(stated(token: Sample.token), Sample.byAlice).sent
        #expect(try sent.candidates == [.token(Sample.token)])
        #expect(try state() == .proposed(.token(Sample.token)))
    }

    @Test func `that Apple does not know is asked for again, and is the caller's in the end`() async throws {
        apple.knowsNobody = true
        _ = try submit()
        for pause in AppleQuery.unknownPauses {
            #expect(try await answer(home).isEmpty)
            group.pass(pause, with: apple)
        }
        #expect(try await answer(home).candidates == [.caller(Sample.alice)])
    }

    @Test func `that Apple's history does not list yet is asked about alone`() async throws {
        _ = try submit(by: Sample.bob, naming: Sample.otherOrder)
        apple.knows(Sample.transaction("6"), stated(token: Sample.token))
        apple.unlisted = ["5"]
        let sent = try await group.askApple(ReceiptsGroup.partition(of: Sample.bob)).sent
        #expect(try sent.bodies(EvidenceCompletedV1.self).map(\.mayKnowMore) == [true])
        #expect(try group.deliver(sent).isEmpty, "nobody has it by that")
        #expect(try await answer(place).candidates == [.token(Sample.token)])
    }

    @Test func `that Apple does not know at all, though it knows the customer, is the caller's in the end`()
        async throws
    {
        _ = try submit()
        apple.knows(Sample.transaction("6"))
        #expect(try await answer(home).isEmpty)
        for pause in AppleQuery.unknownPauses {
            #expect(try await group.askApple(place).sent.isEmpty)
            group.pass(pause, with: apple)
        }
        #expect(try await answer(place).candidates == [.caller(Sample.alice)])
    }

    @Test func `that Apple does not know at first is held by a named order only after more than a minute`()
        async throws
    {
        apple.knowsNobody = true
        _ = try submit(naming: Sample.order)
        try losePatience()
        for pause in AppleQuery.unknownPauses.prefix(2) {
            _ = try await group.askApple(place)
            group.pass(pause, with: apple)
            #expect(try passDeadline().isEmpty)
        }
        _ = try await group.askApple(place)
        group.pass(AppleEvidence.pause, with: apple)
        #expect(try passDeadline().candidates == [.order(Sample.order)])
    }

    @Test func `is held by the order that its receipt names when it is handed in once more`() async throws {
        apple.mood = .down
        _ = try submit()
        try losePatience()
        #expect(try submit(naming: Sample.order).isEmpty)
        _ = try passDeadline()
        _ = try await group.askApple(place)
        group.pass(AppleEvidence.pause, with: apple)
        #expect(try passDeadline().candidates == [.order(Sample.order)])
    }

    @Test func `of the sandbox keeps no question waiting about what somebody has paid for`() throws {
        let free = bare.with(\.environment, Environment.sandbox.rawValue)
        #expect(try group.verify(free, Sample.byBob.naming(Sample.order), inquiry: .asked).sent.isEmpty)
        try losePatience()
        let urgencies = try group.rows("SELECT urgency FROM apple_query", partition: place)
        #expect(urgencies == [[.integer(Int64(AppleQuery.Urgency.free.rawValue))]])
    }

    @Test func `goes on waiting while Apple is down, and after the deadline for the named order alone`()
        async throws
    {
        apple.mood = .down
        _ = try submit()
        #expect(try await answer(home).isEmpty)
        group.pass(AppleEvidence.patience - 1, with: apple)
        #expect(try turns().isEmpty)
        group.pass(1, with: apple)
        #expect(try passDeadline().isEmpty, "it names no order")
        #expect(try state() == .waiting)
        #expect(try group.verify(bare, Sample.byBob.naming(Sample.order), inquiry: .asked).sent.isEmpty)
        #expect(try passDeadline().isEmpty, "Apple was not asked about it here")
        #expect(try await group.askApple(place).sent.isEmpty)
        group.pass(AppleEvidence.pause, with: apple)
        #expect(try passDeadline().candidates == [.order(Sample.order)])
        let refused = try group.refuse(bare, .alreadyPaid).sent
        #expect(try refused.candidates.isEmpty, "the caller is not asked")
        #expect(try state() == .waiting)
        (apple.mood, apple.knowsNobody) = (.well, true)
        var completed: [OutgoingEvent] = []
        while completed.isEmpty {
            group.pass(AppleQuery.longestPause, with: apple)
            completed = try await group.askApple(place).sent.filter { $0.type == EvidenceCompletedV1.type }
        }
        #expect(try group.deliver(completed).candidates == [.caller(Sample.bob)])
    }

    @Test func `that a named order has got is weighed by Apple's word all the same`() async throws {
        try await beHeldByNamedOrder()
        let spoken = try await speak(stated(token: Sample.token))
        #expect(try spoken.challengers == [.token(Sample.token)])
    }

    @Test(arguments: [Sample.token, nil])
    func `is restored by nobody, and refused to nobody, before Apple has spoken`(token: String?) async throws
    {
        try await beHeldByNamedOrder()
        for submission in [Sample.byCarol.restoring, Sample.byAlice] {
            let sent = try group.verify(bare, submission, inquiry: .asked).sent
            #expect(sent.isEmpty, "\(submission)")
        }
        let spoken = try await speak(stated(token: token))
        if let token {
            #expect(try spoken.challengers == [.token(token)])
            #expect(try spoken.bodies(ClaimConflictedV1.self).isEmpty)
        } else {
            let refused = try spoken.bodies(ClaimConflictedV1.self).map(\.submission.submitter)
            #expect(refused == [Sample.alice])
            #expect(try spoken.bodies(TransferRequestedV1.self).map(\.toBuyerId) == [Sample.carol])
        }
    }

    @Test func `that Apple does not know is restored all the same, however often that is asked`() async throws
    {
        try await beHeldByNamedOrder()
        for submission in [Sample.byCarol.restoring, Sample.byCarol.with(\.intent, .staleRestore)] {
            #expect(try group.verify(bare, submission, inquiry: .asked).sent.isEmpty)
        }
        let waiting = try group.run(place) { try ClaimStore(connection: $0.connection).waiting() }.outcome
        #expect(waiting.count == 1)
        let spoken = try await speak()
        #expect(try spoken.bodies(TransferRequestedV1.self).map(\.toBuyerId) == [Sample.carol])
    }

    @Test func `moves with no earlier period before Apple has spoken`() async throws {
        try await beHeldByNamedOrder()
        var claim = try group.record(bare).claim
        #expect(claim.follow(to: Sample.carol, isDecided: false) == nil)
        _ = try await speak(stated())
        claim = try group.record(bare).claim
        #expect(claim.follow(to: Sample.carol, isDecided: false)?.buyer == Sample.bob)
    }

    @Test func `whose order was named before the deadline is proposed at the deadline`() async throws {
        apple.mood = .down
        #expect(try submit(naming: Sample.order).isEmpty)
        try losePatience()
        #expect(try await group.askApple(place).sent.isEmpty)
        group.pass(AppleEvidence.deadline - AppleEvidence.patience, with: apple)
        #expect(try passDeadline().candidates == [.order(Sample.order)])
    }

    @Test func `is not held by a named order while the question is still ours, however much is asked`()
        async throws
    {
        #expect(try submit(by: Sample.bob, naming: Sample.otherOrder).isEmpty)
        try losePatience()
        group.pass(AppleEvidence.deadline, with: apple)
        for _ in 1...20 {
            #expect(try passDeadline().isEmpty)
            group.pass(AppleEvidence.pause, with: apple)
        }
        apple.knows(stated(token: Sample.token))
        #expect(try await answer(place).candidates == [.token(Sample.token)])
    }

    @Test func `is held by the named order once a call to Apple hangs`() async throws {
        #expect(try submit(naming: Sample.order).isEmpty)
        try losePatience()
        group.pass(AppleEvidence.deadline - AppleEvidence.patience - 1, with: apple)
        var (early, late): ([OutgoingEvent], [OutgoingEvent]) = ([], [])
        apple.meanwhile = {
            group.pass(1, with: apple)
            early += try passDeadline()
            for _ in 1...2 {
                group.pass(AppleEvidence.pause, with: apple)
                early += try passDeadline()
            }
            group.pass(AppleEvidence.pause, with: apple)
            late = try passDeadline()
        }
        _ = try await group.askApple(place)
        #expect(early.isEmpty)
        #expect(try late.candidates == [.order(Sample.order)])
    }

    @Test func `is not held by a named order because the clock jumps while a call to Apple is under way`()
        async throws
    {
        #expect(try submit(naming: Sample.order).isEmpty)
        try losePatience()
        var early: [OutgoingEvent] = []
        apple.meanwhile = {
            group.jump(AppleEvidence.fallback, with: apple)
            early += try passDeadline()
        }
        _ = try await group.askApple(place)
        #expect(early.isEmpty)
        #expect(try state() == .waiting)
    }

    @Test func `is asked about before all that was asked earlier, where an order is named`() async throws {
        for number in 1...40 { try group.askHistory(of: "\(number)00", in: place) }
        #expect(try submit(naming: Sample.order).isEmpty)
        try losePatience()
        let first = try #require(
            await group.askApple(place).jobs.first { !$0.contains("serverNotifications") }
        )
        #expect(first.contains("claim/"))
    }

    @Test func `asks Apple itself a minute after the deadline, whatever became of the receipt`() async throws
    {
        apple.mood = .down
        _ = try submit()
        group.pass(AppleEvidence.patience, with: apple)
        _ = try passDeadline()
        group.pass(AppleEvidence.fallback, with: apple)
        _ = try passDeadline()
        apple.mood = .well
        apple.knows(stated(token: Sample.token))
        group.pass(AppleQuery.longestPause, with: apple)
        let sent = try await group.askApple(place).sent
        let news = sent.filter { $0.type == TransactionVerifiedV1.type }
        #expect(try group.deliver(news).candidates == [.token(Sample.token)])
        let completed = sent.filter { $0.type == EvidenceCompletedV1.type }
        #expect(try group.deliver(completed).isEmpty, "it waits no more")
        #expect(try group.rows("SELECT 1 FROM apple_query", partition: place).isEmpty)
    }

    @Test func `about whose receipt nobody asks any more is asked about by its claim`() async throws {
        #expect(try group.verify(bare, Sample.byAlice, inquiry: .unasked).sent.isEmpty)
        apple.knows(stated(token: Sample.token))
        let sent = try await group.askApple(place).sent
        let found = try sent.bodies(TransactionVerifiedV1.self)
        #expect(found.map(\.transaction.appAccountToken) == [Sample.token])
    }

    @Test func `is asked about once for all purchases of a receipt, and no quota counts it`() async throws {
        group.proofs.contents["receipt"] = .success((1...40).map { Sample.transaction("\($0)") })
        let sent = try group.submit("receipt", kind: .appReceipt).sent
        let inquiries = try sent.bodies(TransactionVerifiedV1.self).map(\.inquiry)
        #expect(inquiries == Array(repeating: .asked, count: 40))
        _ = try await group.askApple(home)
        #expect(apple.calls.count { $0.contains("/history/") } == 1)
        #expect(apple.calls.allSatisfy { !$0.contains("revoked") })
        let states = try group.rows("SELECT state FROM submission", partition: home)
        #expect(states == [[.text("verified")]])
    }

    // MARK: Helpers

    /// Lets the time pass for which a claim waits in silence; nobody is proposed then.
    private func losePatience() throws {
        group.pass(AppleEvidence.patience, with: apple)
        #expect(try passDeadline().isEmpty)
    }

    /// Bob names an order while Apple is silent, and gets it.
    private func beHeldByNamedOrder() async throws {
        apple.mood = .down
        #expect(try submit(by: Sample.bob, naming: Sample.otherOrder).isEmpty)
        try losePatience()
        _ = try await group.askApple(place)
        group.pass(AppleEvidence.deadline, with: apple)
        #expect(try passDeadline().candidates == [.order(Sample.otherOrder)])
        _ = try group.hold(bare, by: Sample.otherHolder, evidence: .order)
    }

    /// Apple answers again, with what it knows; returns what the claim sends.
    private func speak(_ known: SignedTransaction? = nil) async throws -> [OutgoingEvent] {
        apple.mood = .well
        if let known { apple.knows(known) } else { apple.knowsNobody = true }
        for _ in 0...AppleQuery.unknownPauses.count {
            group.pass(AppleQuery.longestPause, with: apple)
            let sent = try await answer(place)
            if !sent.isEmpty { return sent }
        }
        return []
    }

    private func passDeadline() throws -> [OutgoingEvent] {
        let items = try turns()
        #expect(items.count == 1)
        return try items.flatMap { try group.finish($0, [], place).sent }
    }

    private func turns() throws -> [WorkItem] {
        try group.due(EvidenceTurns.prefix, place).filter { $0.timer != nil }
    }
}
