import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Periods of the chains 7, 9 and 30; each chain lies in a partition of its own, and most names lie in a fourth.
@Suite struct `a purchase with names` {
    private static let names = 3
    let group = ReceiptsGroup()

    static func period(
        _ id: String,
        of chain: String,
        lineItem: String = "70",
        isOwned: Bool = true,
        signed: Int64 = 0
    ) -> SignedTransaction {
        let type = ProductType.autoRenewable
        var period = Sample.transaction(id, original: chain, type: type, signed: signed)
        period.expiresDate = period.purchaseDate + 30 * 86_400_000
        period.webOrderLineItemId = lineItem
        if isOwned { period.inAppOwnershipType = "PURCHASED" }
        return period
    }

    private func partition(_ chain: String) -> Int {
        ReceiptsGroup.partition(of: Self.period("1", of: chain))
    }

    private func claims(_ chain: String) throws -> [[Value]] {
        try group.rows("SELECT purchase_id FROM claim ORDER BY 1", partition: partition(chain))
    }

    private func homes(at partition: Int) throws -> [[Value]] {
        try group.rows("SELECT DISTINCT name, home_id FROM purchase_name ORDER BY 1", partition: partition)
    }

    private func aliases(_ chain: String) throws -> [[Value]] {
        let sql = "SELECT original_transaction_id, home_id FROM chain_alias"
        return try group.rows(sql, partition: partition(chain))
    }

    /// What is sent on to another chain.
    private func forwarded(_ sent: [OutgoingEvent]) throws -> [TransactionVerifiedV1] {
        try sent.bodies(TransactionVerifiedV1.self)
    }

    /// Delivers everything between the partitions until nothing is under way.
    private func deliverAll(_ events: [OutgoingEvent]) throws {
        var (queue, rounds) = (events, 0)
        while !queue.isEmpty {
            queue = try group.deliver(queue)
            rounds += 1
            try #require(rounds < 50)
        }
    }

    // MARK: Registering

    @Test func `is proposed once its names are registered, the transaction id first`() throws {
        var sent = try group.verifyUnanswered(Self.period("8", of: "7"), Sample.byAlice)
        #expect(try sent.bodies(NameClaimedV1.self).map(\.name.text) == ["transaction/8"])
        sent = try group.deliver(sent)
        #expect(try sent.bodies(NameHeldV1.self).map(\.homeId.rawValue) == ["7"])
        sent = try group.deliver(sent)
        #expect(try sent.bodies(NameClaimedV1.self).map(\.name.text) == ["lineItem/70"])
        #expect(try claims("7").isEmpty)
        sent = try group.deliver(group.deliver(sent))
        #expect(try sent.proposers == [Sample.alice])
        #expect(try claims("7") == [["7:70"]])
        #expect(try homes(at: Self.names) == [["lineItem/70", "7"], ["transaction/8", "7"]])
    }

    @Test func `registers names of its own partition in the same commit`() throws {
        let period = Self.period("21", of: "7", lineItem: "90")
        let sent = try group.verifyUnanswered(period, Sample.byAlice)
        #expect(try sent.bodies(NameClaimedV1.self).isEmpty)
        #expect(try sent.bodies(ClaimProposedV1.self).count == 1)
        #expect(try homes(at: partition("7")) == [["lineItem/90", "7"], ["transaction/21", "7"]])
    }

    @Test func `registers a name once, however often it is stated`() throws {
        let sent = try group.verifyUnanswered(Self.period("8", of: "7"))
        #expect(try group.verify(Self.period("8", of: "7", signed: 1)).sent.isEmpty)
        _ = try group.answerAll(sent)
        let again = try group.verifyUnanswered(Self.period("8", of: "7", signed: 2))
        #expect(try again.bodies(NameClaimedV1.self).isEmpty)
        let claim = try group.record(Self.period("8", of: "7")).claim
        #expect(claim.facts?.signedDate == Sample.start.advanced(by: 2_000))
    }

    @Test func `is an ordinary consumable where it has none, and leaves no row`() throws {
        let consumable = Sample.transaction("1")
        let sent = try group.verifyUnanswered(consumable, Sample.byAlice)
        #expect(try sent.bodies(ClaimProposedV1.self).count == 1)
        let rows = "SELECT 1 FROM name_registration UNION ALL SELECT 1 FROM claim_name"
        #expect(try group.rows(rows, of: consumable).isEmpty)
    }

    @Test func `lets what comes behind it in its chain wait`() throws {
        let first = try group.verifyUnanswered(Self.period("8", of: "7"), Sample.byAlice)
        let unnamed = Self.period("7", of: "7", lineItem: "71", isOwned: false)
        #expect(try group.verify(unnamed, Sample.byBob).sent.isEmpty)
        #expect(try group.answerAll(first).proposers == [Sample.alice, Sample.bob])
        #expect(try claims("7") == [["7:70"], ["7:71"]])
    }

    @Test func `keeps the event that brought it for its trace, and the answers of the names`() throws {
        let signed = Self.period("8", of: "7")
        let body = TransactionVerifiedV1(transaction: signed, submission: Sample.byAlice)
        let id = EventID(unchecked: "verified")
        let handler = OnTransactionVerified(policies: group.policies)
        let sent = try group.handle(body, in: partition("7"), id: id, handler.callAsFunction).sent
        _ = try group.answerNames(sent)
        let recorded = group.recorded
        #expect(recorded.count == 1 && recorded[0].hasPrefix("7:70: "))
        #expect(try group.record(signed).verified.id == "verified")
    }

    // MARK: Aliases

    @Test func `leads its whole chain to the one that has its name`() throws {
        try group.verifyAndHold(Self.period("8", of: "7"))
        let sent = try group.verify(Self.period("8", of: "9"), Sample.byBob).sent
        #expect(group.alarms.isEmpty)
        let messages = try forwarded(sent)
        #expect(messages.map(\.transaction.originalTransactionId) == ["7"])
        #expect(messages.map(\.aliases) == [[TransactionID(unchecked: "9")]])
        let conflicts = try group.deliver(sent).bodies(ClaimConflictedV1.self)
        #expect(conflicts.map(\.submission.submitter) == [Sample.bob])
        #expect(conflicts.map(\.transaction.transactionId.rawValue) == ["8"])
        #expect(try aliases("9") == [["9", "7"]])
        #expect(try claims("9").isEmpty)
        let other = try group.verify(Self.period("31", of: "9", lineItem: "71"), Sample.byBob).sent
        #expect(try forwarded(other).map(\.transaction.originalTransactionId) == ["7"])
    }

    @Test func `goes alone, with an alarm, where its chain has another purchase`() throws {
        _ = try group.verify(Self.period("8", of: "7"), Sample.byAlice)
        _ = try group.verify(Self.period("31", of: "9", lineItem: "71"), Sample.byCarol)
        let sent = try group.verify(Self.period("8", of: "9"), Sample.byBob).sent
        #expect(group.alarms.count == 1)
        #expect(try forwarded(sent).map(\.submission?.submitter) == [Sample.bob])
        #expect(try aliases("9").isEmpty)
        #expect(try claims("9") == [["9:71"]])
        let unnamed = try group.verify(Self.period("8", of: "9", isOwned: false, signed: 1)).sent
        #expect(try forwarded(unnamed).map(\.transaction.originalTransactionId) == ["7"])
    }

    @Test func `goes alone, too, where a purchase without names waits behind it`() throws {
        _ = try group.verify(Self.period("8", of: "7"), Sample.byAlice)
        let sent = try group.verifyUnanswered(Self.period("8", of: "9"), Sample.byBob)
        let unnamed = Self.period("9", of: "9", lineItem: "71", isOwned: false)
        #expect(try group.verify(unnamed, Sample.byCarol).sent.isEmpty)
        let others = try group.answerAll(sent)
        #expect(group.alarms.count == 1)
        #expect(try forwarded(others).map(\.submission?.submitter) == [Sample.bob])
        #expect(try others.proposers == [Sample.carol])
        #expect(try aliases("9").isEmpty)
        #expect(try claims("9") == [["9:71"]])
    }

    @Test func `takes all that waits along, in order`() throws {
        _ = try group.verify(Self.period("8", of: "7"))
        let sent = try group.verifyUnanswered(Self.period("8", of: "9"), Sample.byAlice)
        #expect(try group.verify(Self.period("8", of: "9"), Sample.byBob).sent.isEmpty)
        let messages = try forwarded(group.answerAll(sent))
        #expect(messages.map(\.submission?.submitter) == [Sample.alice, Sample.bob])
    }

    @Test func `takes its claim along that nobody holds, and its rows lead on`() throws {
        _ = try group.verify(Self.period("8", of: "9", isOwned: false))
        _ = try group.verify(Self.period("21", of: "7"))
        let sent = try group.verify(Self.period("8", of: "9", signed: 1), Sample.byBob).sent
        #expect(try forwarded(sent).map(\.submission?.submitter) == [nil, Sample.bob])
        #expect(try claims("9").isEmpty)
        try deliverAll(sent)
        #expect(try claims("7") == [["7:70"]])
        #expect(try homes(at: Self.names) == [["lineItem/70", "7"], ["transaction/8", "9"]])
        let third = try group.verify(Self.period("8", of: "30"), Sample.byCarol).sent
        let onward = try group.deliver(third)
        #expect(try forwarded(onward).map(\.transaction.originalTransactionId) == ["7"])
        #expect(try forwarded(onward).map { $0.aliases?.map(\.rawValue) } == [["30", "9"]])
    }

    /// The chain 9 has the transaction, 7 the line item, and each hears of the other's name.
    @Test func `has one home, the smaller chain, where two chains become aliases of each other`() throws {
        _ = try group.verify(Self.period("8", of: "9", isOwned: false))
        _ = try group.verify(Self.period("21", of: "7"))
        let first = try group.verify(Self.period("8", of: "9", signed: 1), Sample.byAlice).sent
        let second = try group.verify(Self.period("8", of: "7", signed: 2), Sample.byBob).sent
        #expect(try claims("7").isEmpty && claims("9").isEmpty)
        try deliverAll(first + second)
        #expect(try claims("7") == [["7:70"]])
        #expect(try claims("9").isEmpty)
        let facts = try group.record(Self.period("8", of: "7")).claim.facts
        #expect(facts?.signedDate == Sample.start.advanced(by: 2_000))
    }

    // MARK: Late names

    /// The chain 7 has the line item, which a proposed purchase of the chain 9 states late.
    private func contest() throws -> SignedTransaction {
        let late = Self.period("8", of: "9", signed: 1)
        _ = try group.verify(Self.period("8", of: "9", isOwned: false), Sample.byAlice)
        _ = try group.verify(Self.period("21", of: "7"))
        #expect(try forwarded(group.verify(late).sent).isEmpty)
        #expect(group.alarms.count == 1)
        return late
    }

    @Test func `goes to the chain that has its name once Orders has refused it`() throws {
        let late = try contest()
        let sent = try group.refuse(late).sent
        #expect(try forwarded(sent).map(\.submission?.submitter) == [Sample.alice])
        #expect(try forwarded(sent).map(\.transaction.originalTransactionId) == ["7"])
        #expect(try sent.bodies(ClaimProposedV1.self).isEmpty)
        #expect(try claims("9").isEmpty)
    }

    @Test func `leaves a renewal that has waited for it to the other candidates`() throws {
        let late = try contest()
        let renewal = Self.period("10", of: "9", lineItem: "90").with(\.transactionReason, "RENEWAL")
            .with(\.purchaseDate, late.purchaseDate + 1)
        #expect(try group.candidates(of: renewal, Sample.byBob).isEmpty)
        #expect(try group.refuse(late).sent.candidates == [.caller(Sample.bob)])
    }

    @Test func `stays where Orders says that it is held`() throws {
        let late = try contest()
        _ = try group.hold(late)
        let restated = try group.verify(Self.period("8", of: "9", signed: 2)).sent
        #expect(try restated.bodies(TransactionUpdatedV1.self).map(\.buyerId) == [Sample.alice])
        #expect(try claims("9") == [["9:70"]])
    }

    @Test func `only alarms, once, where it is held before it states the name`() throws {
        let first = Self.period("8", of: "9", isOwned: false)
        try group.verifyAndHold(first)
        _ = try group.verify(Self.period("21", of: "7"))
        let late = try group.verify(Self.period("8", of: "9", signed: 1)).sent
        #expect(try late.bodies(TransactionUpdatedV1.self).count == 1)
        #expect(group.alarms.count == 1)
        _ = try group.verify(Self.period("8", of: "9", signed: 2))
        #expect(group.alarms.isEmpty)
    }

    // MARK: Restores

    @Test func `claims its names again in a restored partition`() throws {
        _ = try group.verify(Self.period("8", of: "7"))
        try group.execute("DELETE FROM purchase_name", in: Self.names)
        let other = try group.redrive(from: partition("7"), to: .receipts, partition("30")).sent
        #expect(try other.bodies(NameClaimedV1.self).isEmpty)
        let sent = try group.redrive(from: partition("7"), to: .receipts, Self.names).sent
        #expect(try sent.bodies(NameClaimedV1.self).map(\.name.text) == ["transaction/8", "lineItem/70"])
        #expect(try group.answerNames(sent).isEmpty)
        #expect(try homes(at: Self.names) == [["lineItem/70", "7"], ["transaction/8", "7"]])
    }

    @Test func `is answered again by a name's partition, if another chain has it, too`() throws {
        _ = try group.verify(Self.period("8", of: "7"))
        _ = try group.verify(Self.period("8", of: "9", signed: 1))
        for (chain, home) in [("7", "7"), ("9", "7")] {
            let answers = try group.redrive(from: Self.names, to: .receipts, partition(chain)).sent
                .bodies(NameHeldV1.self).filter { $0.originalTransactionId.rawValue == chain }
            #expect(Set(answers.map(\.homeId.rawValue)) == [home])
            #expect(answers.contains { $0.name.text == "transaction/8" })
        }
    }

    @Test func `goes on where its own partition was restored, because its rows name its chain`() throws {
        let signed = Self.period("8", of: "7")
        _ = try group.verify(signed, Sample.byAlice)
        for table in ["claim", "purchase_alias", "name_registration", "claim_name"] {
            try group.execute("DELETE FROM \(raw: table)", in: partition("7"))
        }
        let sent = try group.verify(signed, Sample.byAlice).sent
        #expect(try sent.bodies(ClaimProposedV1.self).count == 1)
    }

    @Test func `is sent on again to a restored home`() throws {
        _ = try group.verify(Self.period("8", of: "7"))
        _ = try group.verify(Self.period("8", of: "9", signed: 1), Sample.byBob)
        let sent = try group.redrive(from: partition("9"), to: .receipts, partition("7")).sent
        let messages = try forwarded(sent)
        #expect(messages.map(\.transaction.originalTransactionId) == ["7"])
        #expect(messages.map(\.submission) == [nil])
        #expect(messages.map { $0.aliases?.map(\.rawValue) } == [["9"]])
    }

    @Test func `is found by a reconciliation at its home`() throws {
        _ = try group.verify(Self.period("8", of: "7"))
        _ = try group.verify(Self.period("8", of: "9", signed: 1))
        let found = TransactionFoundV1(
            reconciliationId: EventID(unchecked: "r-1"),
            transaction: Self.period("8", of: "9", signed: 2),
            action: .submit
        )
        let handler = OnTransactionFound()
        let sent = try group.handle(found, in: partition("9"), handler.callAsFunction).sent
        let word = try #require(try sent.bodies(TransactionFoundV1.self).first)
        #expect(word.transaction.originalTransactionId == "7")
        let verified = try group.handle(word, in: partition("7"), handler.callAsFunction).sent
        let messages = try forwarded(verified)
        #expect(messages.map(\.transaction.originalTransactionId) == ["7"])
        #expect(messages.map { $0.aliases?.map(\.rawValue) } == [["9"]])
    }

    @Test func `registers the names that Orders knows, when a store has lost them`() throws {
        group.answersNames = false
        let sent = try group.recall(Self.period("8", of: "7")).sent
        #expect(try sent.bodies(NameClaimedV1.self).map(\.name.text) == ["transaction/8"])
    }
}

extension ReceiptsGroup {
    /// Brings a transaction to its claim; from now on the partitions of names, and of replaced chains, do not answer.
    func verifyUnanswered(
        _ signed: SignedTransaction,
        _ submission: Submission? = nil
    ) throws -> [OutgoingEvent] {
        answersNames = false
        return try verify(signed, submission).sent
    }

    /// Lets them answer what they were asked, and from now on at once.
    func answerAll(_ events: [OutgoingEvent]) throws -> [OutgoingEvent] {
        answersNames = true
        return try answerNames(events)
    }
}
