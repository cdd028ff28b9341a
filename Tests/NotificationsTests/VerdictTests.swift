import Contracts
import Delivery
import Domain
import TestKit
import Testing

@testable import Notifications

@Suite struct `a verdict` {
    private typealias Message = NotificationsHarness.Message

    private let harness = NotificationsHarness()

    /// The table of `Verdict.replaces`.
    private static func replaces(_ incoming: Verdict, _ known: Verdict?) -> Bool {
        guard let known else { return true }
        if incoming == .pending { return false }
        if !incoming.finish { return !known.finish }
        return incoming != .conflict || !known.finish || known == .conflict
    }

    @Test(arguments: [nil] + Verdict.allCases.map(Optional.some), Verdict.allCases)
    func `takes another's place as its table says`(known: Verdict?, incoming: Verdict) {
        #expect(incoming.replaces(known) == Self.replaces(incoming, known))
    }

    @Test(arguments: Verdict.allCases, Verdict.allCases)
    func `after more transfers takes the place of any other, and after fewer of none`(
        known: Verdict,
        incoming: Verdict
    ) {
        let facts = NotificationsHarness.facts()
        func verdict(_ verdict: Verdict, _ transfers: Int) -> NumberedVerdict {
            NumberedVerdict(verdict: TransactionVerdict(facts, verdict: verdict), transfers: transfers)
        }
        #expect(verdict(incoming, 2).merged(into: verdict(known, 1)) == verdict(incoming, 2))
        #expect(verdict(incoming, 1).merged(into: verdict(known, 2)) == nil)
    }

    @Test(arguments: Verdict.allCases, Verdict.allCases)
    func `heard twice is as if heard once, and never becomes less final`(known: Verdict, incoming: Verdict) {
        let facts = NotificationsHarness.facts()
        let first = NumberedVerdict(verdict: TransactionVerdict(facts, verdict: known))
        let second = NumberedVerdict(verdict: TransactionVerdict(facts, verdict: incoming), position: 3)
        let once = second.merged(into: first) ?? first
        #expect(second.merged(into: once) == nil)
        #expect(!known.finish || once.verdict.verdict.finish)
        #expect(once.position == 3)
    }

    @Test func `that is pending says why as the proof was read last`() {
        let facts = NotificationsHarness.facts()
        func pending(_ reason: String?) -> NumberedVerdict {
            NumberedVerdict(verdict: TransactionVerdict(facts, verdict: .pending, reason: reason))
        }
        #expect(pending(nil).merged(into: pending("waitsForBuyer")) == pending(nil))
        #expect(pending("waitsForBuyer").merged(into: pending(nil)) == pending("waitsForBuyer"))
        #expect(pending("waitsForBuyer").merged(into: pending("waitsForBuyer")) == nil)
        var granted = pending(nil)
        granted.verdict.verdict = .granted
        #expect(pending("waitsForBuyer").merged(into: granted) == nil)
    }

    @Test func `of the whole is the least final of all, and the reason is its own`() throws {
        try harness.take(.accepted(["1", "2", "3"]), .changed("1"), .conflict("2"))
        #expect(try harness.answer().verdict == .pending)
        try harness.take(.changed("3", .parked, "unknownProduct"))
        let answer = try harness.answer()
        #expect(answer.verdict == .parked && answer.reason == "unknownProduct" && !answer.finish)
        #expect(answer.transactions.map(\.verdict) == [.granted, .conflict, .parked])
        try harness.take(.changed("3"))
        #expect(try harness.answer().verdict == .conflict && harness.answer().finish)
    }

    @Test func `carries all that is known of its transaction`() throws {
        try harness.take(.accepted(["1"]), .changed("1"))
        let order = NotificationsHarness.order("1").orderId
        let expected = TransactionVerdict(NotificationsHarness.facts("1"), orderId: order, verdict: .granted)
        #expect(try harness.answer().transactions == [expected])
    }

    private static let histories: [[Message]] = [
        [.accepted(["1"]), .changed("1")],
        [.accepted(["1", "2", "3"]), .changed("1"), .conflict("2"), .changed("3", .ended)],
        [.accepted(["1", "2"]), .changed("1"), .changed("2", .parked, "unknownProduct")],
        [
            .accepted(["1", "2"], .parked, "wrongApp"), .accepted(["1", "2"]), .changed("1"),
            .changed("2"),
        ],
        [.whole(.parked, "untrusted"), .accepted(["1"]), .changed("1")],
        [.whole(.invalid, "badSignature"), .whole(.parked, "untrusted")],
        [.partly(["1"], .parked, "unreadable"), .changed("1")],
        [.partly(["1"], .parked, "unreadable"), .accepted(["1", "2"]), .changed("1"), .changed("2")],
    ]

    @Test func `of a proof that is readable in part only is not told by that part alone`() throws {
        try harness.take(.partly(["1"], .parked, "unreadable"), .changed("1"))
        let answer = try harness.answer()
        #expect(answer.verdict == .parked && answer.reason == "unreadable" && !answer.finish)
        #expect(answer.transactions.map(\.verdict) == [.granted])
        try harness.take(.accepted(["1", "2"]))
        #expect(try harness.answer().verdict == .pending)
        try harness.take(.changed("2"))
        #expect(try harness.answer().verdict == .granted && harness.answer().finish)
    }

    @Test func `of a proof that was no payment gives way to a better reading`() throws {
        try harness.take(.whole(.invalid, "malformed"))
        #expect(try !harness.answer().finish)
        try harness.take(.accepted(["1"]), .changed("1"))
        #expect(try harness.answer().verdict == .granted && harness.answer().finish)
    }

    @Test func `that a phone was told is final is not reopened by a later reading`() throws {
        try harness.take(.accepted(["1"]), .changed("1"), .whole(.parked, "untrusted"))
        #expect(try harness.answer().verdict == .granted)
    }

    @Test(arguments: histories)
    private func `is the same in whatever order the messages arrive`(history: [Message]) throws {
        var answers: Set<ReceiptVerdictV1> = []
        for order in Self.permutations(history) {
            answers.insert(try NotificationsHarness(having: order).answer())
        }
        #expect(answers.count == 1)
    }

    /// What the claim and the buyer's ledger say of a purchase that moves to this buyer and away; with the outcome.
    private static let moves: [(history: [Message], verdict: Verdict, reason: String?)] = [
        ([.accepted(["1"]), .conflict("1"), .changed("1", transfers: 1)], .granted, nil),
        (
            [
                .accepted(["1"]), .conflict("1", "notTransferred"), .changed("1", transfers: 1),
                .changed("1", .ended, "refunded", transfers: 1, to: nil),
            ], .ended, "refunded"
        ),
        (
            [.accepted(["1"]), .conflict("1"), .changed("1", .parked, "unknownProduct", transfers: 1)],
            .parked, "unknownProduct"
        ),
        (
            [
                .accepted(["1"]), .changed("1"), .changed("1", .conflict, transfers: 1),
                .conflict("1", "notTransferred", transfers: 1),
            ], .conflict, "notTransferred"
        ),
        (
            [
                .accepted(["1"]), .conflict("1"), .changed("1", transfers: 1),
                .changed("1", .conflict, transfers: 2), .conflict("1", "notTransferred", transfers: 2),
                .changed("1", transfers: 3),
            ], .granted, nil
        ),
        // The ledger says it again when amounts of the payer are refunded.
        (
            [
                .changed("1", to: .only), .changed("1", .conflict, transfers: 1, to: nil),
                .conflict("1", of: .only, transfers: 2),
                .changed("1", .conflict, entries: 1, transfers: 1, to: nil),
            ], .conflict, nil
        ),
    ]

    @Test(arguments: moves.indices)
    private func `on a purchase that moves is the same in whatever order claim and ledger are heard`(
        index: Int
    ) throws {
        let (history, verdict, reason) = Self.moves[index]
        for order in Self.permutations(history) where Self.isInOrderOfLinks(order, history) {
            for messages in [order, order + order] {
                let answer = try NotificationsHarness(having: messages).answer()
                #expect(answer.verdict == verdict && answer.reason == reason, "\(order)")
            }
        }
    }

    /// Whether the messages of the claim, and those of the ledger, arrive as they were sent.
    private static func isInOrderOfLinks(_ order: [Message], _ history: [Message]) -> Bool {
        [\Message.isJudgement, \Message.isChange].allSatisfy { isOfLink in
            order.filter { $0[keyPath: isOfLink] } == history.filter { $0[keyPath: isOfLink] }
        }
    }

    @Test(arguments: histories)
    private func `that is final stays final`(history: [Message]) throws {
        for order in Self.permutations(history) {
            let harness = NotificationsHarness()
            var wasFinal = false
            for message in order + order {
                try harness.take(message)
                let isFinal = try harness.answer().finish
                #expect(isFinal || !wasFinal, "\(order)")
                wasFinal = isFinal
            }
        }
    }

    @Test(arguments: histories)
    private func `is pending until it is known what the submission holds`(history: [Message]) throws {
        for message in history where !message.isReading { try harness.take(message) }
        #expect(try harness.answer() == ReceiptVerdictV1(receiptId: .handedIn, verdict: .pending))
    }

    /// Every order in which these messages can arrive: what was read comes over one link, in its order.
    private static func permutations(_ messages: [Message]) -> [[Message]] {
        guard messages.count > 1 else { return [messages] }
        return messages.indices.flatMap { index -> [[Message]] in
            var rest = messages
            let first = rest.remove(at: index)
            guard !first.isReading || !messages[..<index].contains(where: \.isReading) else { return [] }
            return permutations(rest).map { [first] + $0 }
        }
    }

    /// Whatever comes first: the phone is told at once, and the acceptance changes nothing.
    @Test(arguments: [
        [Message.changed("1", to: .only), .accepted(["1"], of: .only)],
        [.accepted(["1"], of: .only), .changed("1", to: .only)],
        [.changed("1", to: .only)],
    ])
    private func `on the only transaction of a submission is its own`(history: [Message]) throws {
        try harness.take(history[0])
        if case .change = history[0] { #expect(try harness.answer().verdict == .granted) }
        for message in history.dropFirst() { try harness.take(message) }
        let answer = try harness.answer()
        #expect(answer.verdict == .granted)
        #expect(answer.transactions.count == 1)
        #expect(try harness.ask(of: .otherApp).refusal?.code == .notFound)
        #expect(try harness.ask(by: .eve).refusal?.code == .notFound, "another buyer's phone")
        #expect(try harness.ask(by: .ada).reply == harness.answer())
    }

    @Test(arguments: [Submission.only, .submission()])
    private func `names the version of the app, whatever comes first`(submission: Submission) throws {
        let accepted = Message.accepted(["1"], of: submission, applicationVersion: "2.3.1")
        for history in [
            [accepted, .changed("1", to: submission)], [.changed("1", to: submission), accepted],
        ] {
            let answer = try NotificationsHarness(having: history + history).answer()
            #expect(answer.verdict == .granted && answer.applicationVersion == "2.3.1")
        }
    }

    @Test func `on the only transaction that another buyer holds is told at once`() throws {
        try harness.take(.conflict("1", of: .only))
        #expect(try harness.answer().verdict == .conflict)
    }

    @Test func `on an unreadable submission is told with its reason`() throws {
        try harness.take(.whole(.invalid, "badSignature"))
        let expected = ReceiptVerdictV1(receiptId: .handedIn, verdict: .invalid, reason: "badSignature")
        #expect(try harness.answer() == expected)
    }
}

@Suite struct `one who waits` {
    private let harness = NotificationsHarness()

    @Test(arguments: [(5_000, 5_000), (.max, 30_000)])
    func `for a receipt that was not heard of waits, no longer than the longest wait, and hears pending`(
        wanted: Int,
        longest: Int64
    ) throws {
        guard case .wait(let key, let until, let otherwise) = try harness.ask(wait: wanted) else {
            Issue.record("answered at once")
            return
        }
        #expect(key == ReceiptID.handedIn.rawValue)
        #expect(until == harness.now.advanced(by: longest))
        #expect(otherwise == ReceiptVerdictV1(receiptId: .handedIn, verdict: .pending))
    }

    @Test(arguments: Verdict.allCases.filter { $0 != .pending })
    func `is answered at once when the verdict is known`(verdict: Verdict) throws {
        try harness.take(.accepted(["1"]), .changed("1", verdict))
        #expect(try harness.ask(wait: 5_000).reply?.verdict == verdict)
    }

    @Test func `is woken by every change, and by nothing else`() throws {
        for message in [NotificationsHarness.Message.accepted(["1"]), .changed("1")] {
            try harness.take(message)
            #expect(harness.woken == [ReceiptID.handedIn.rawValue])
            try harness.take(message)
            #expect(harness.woken.isEmpty)
        }
    }

    @Test func `for another app's receipt is told that there is none`() throws {
        try harness.take(.accepted(["1"]))
        #expect(try harness.ask(of: .otherApp).refusal?.code == .notFound)
        #expect(try harness.ask(by: .eve).refusal?.code == .notFound)
    }
}

@Suite struct `the verdicts on one purchase` {
    private static let since = Timestamp(milliseconds: 1_760_000_000_500)
    /// Two proofs of the same purchase, by the same buyer.
    private static let submissions = [Submission.submission(), Submission.submission(8)]

    private let harness = NotificationsHarness(subscribers: [])

    /// Says of transaction 1 what its buyer's ledger says.
    private func ledgerSays(
        _ verdict: Verdict,
        _ reason: String? = nil,
        to submission: Submission? = nil
    ) throws {
        let since = verdict == .granted ? Self.since : nil
        try harness.take(.changed("1", verdict, reason, grantedAt: since, to: submission))
    }

    /// Hands in both proofs, of which the ledger says this.
    private func handIn(_ verdict: Verdict, _ reason: String? = nil) throws {
        for submission in Self.submissions {
            try harness.take(.accepted(["1"], of: submission))
            try ledgerSays(verdict, reason, to: submission)
        }
    }

    private func answers() throws -> [ReceiptVerdictV1] {
        try Self.submissions.map { try harness.answer($0.receiptId) }
    }

    @Test func `tell since when the buyer's ledger has it`() throws {
        try handIn(.granted)
        #expect(try answers().map(\.verdict) == [.granted, .granted])
        #expect(try answers().flatMap(\.transactions).map(\.grantedAt) == [Self.since, Self.since])
    }

    @Test func `end with a refund that nobody handed in, and hold again when it is reversed`() throws {
        try handIn(.granted)
        try ledgerSays(.ended, "refunded")
        #expect(harness.woken == Set(Self.submissions.map(\.receiptId.rawValue)))
        #expect(try answers().map(\.verdict) == [.ended, .ended])
        #expect(try answers().map(\.reason) == ["refunded", "refunded"])
        #expect(try answers().flatMap(\.transactions).map(\.grantedAt) == [nil, nil])
        try ledgerSays(.granted)
        #expect(try answers().map(\.verdict) == [.granted, .granted])
        #expect(try answers().flatMap(\.transactions).map(\.reason) == [nil, nil])
    }

    @Test func `that was parked are all told when an operator releases it`() throws {
        try handIn(.parked, "unknownProduct")
        #expect(try answers().map(\.finish) == [false, false])
        try ledgerSays(.granted, to: Self.submissions[1])
        #expect(try answers().map(\.verdict) == [.granted, .granted])
    }

    @Test func `of one buyer say nothing of what another buyer handed in`() throws {
        try handIn(.granted)
        let others = Submission.submission(9, by: BuyerID.eve)
        try harness.take(.conflict("1", of: others), .accepted(["1"], of: others))
        try ledgerSays(.ended, "refunded")
        #expect(try harness.answer(others.receiptId).verdict == .conflict)
    }

    /// One buyer in 65,536 has the shard of another.
    @Test func `that has moved between two logins of one shard are each login's own`() throws {
        let namesake = BuyerID(unchecked: "eve-25388")
        #expect(PartitionKey.buyer(namesake, of: .game).shard == PartitionKey.buyer(.ada, of: .game).shard)
        let (first, second) = (Submission.submission(), Submission.submission(9, by: namesake))
        try harness.take(.accepted(["1"], of: first), .changed("1", to: first))
        try harness.take(.changed("1", .conflict, transfers: 1, to: first))
        try harness.take(.accepted(["1"], of: second), .changed("1", of: namesake, transfers: 1, to: second))
        #expect(try harness.answer(first.receiptId).verdict == .conflict)
        #expect(try harness.answer(second.receiptId).verdict == .granted)
        try harness.take(.changed("1", .ended, "refunded", of: namesake, transfers: 1, to: nil))
        #expect(try harness.answer(first.receiptId).verdict == .conflict)
        #expect(try harness.answer(second.receiptId).verdict == .ended)
    }
}
