import Contracts
import Delivery
import Domain
import NotificationsCore
import TestKit
import Testing

@testable import Notifications

@Suite struct `a verdict` {
    private typealias Harness = NotificationsHarness
    private typealias Message = NotificationsHarness.Message

    /// The table of `Verdict.replaces`.
    private static func replaces(_ incoming: Verdict, _ known: Verdict?) -> Bool {
        guard let known else { return true }
        if incoming == .pending { return false }
        if !incoming.finish { return !known.finish }
        return true
    }

    @Test(arguments: [nil] + Verdict.allCases.map(Optional.some), Verdict.allCases)
    func `takes another's place as its table says`(known: Verdict?, incoming: Verdict) {
        #expect(incoming.replaces(known) == Self.replaces(incoming, known))
    }

    @Test(arguments: Verdict.allCases, Verdict.allCases)
    func `heard twice is as if heard once, and never becomes less final`(known: Verdict, incoming: Verdict) {
        let first = PositionedVerdict(TransactionVerdict(Harness.facts(), verdict: known))
        let second = PositionedVerdict(TransactionVerdict(Harness.facts(), verdict: incoming), position: 3)
        let once = second.merged(into: first) ?? first
        #expect(second.merged(into: once) == nil)
        #expect(!known.finish || once.verdict.verdict.finish)
        #expect(once.position == 3)
    }

    @Test func `of the whole is the least final of all, and the reason is its own`() throws {
        let harness = try Harness()
        try harness.take(.accepted(["1", "2", "3"]))
        try harness.take(.changed("1", .granted))
        try harness.take(.judged("2", .conflict))
        #expect(try harness.answer().verdict == .pending)
        try harness.take(.changed("3", .parked, "unknownProduct"))
        let answer = try harness.answer()
        #expect(answer.verdict == .parked && answer.reason == "unknownProduct" && !answer.finish)
        #expect(answer.transactions.map(\.verdict) == [.granted, .conflict, .parked])
        try harness.take(.changed("3", .granted))
        #expect(try harness.answer().verdict == .conflict)
        #expect(try harness.answer().finish)
    }

    @Test func `carries all that is known of its transaction`() throws {
        let harness = try Harness()
        try harness.take(.accepted(["1"]))
        try harness.take(.changed("1", .granted))
        let expected = TransactionVerdict(
            Harness.facts("1"),
            orderId: Harness.order("1").orderId,
            verdict: .granted
        )
        #expect(try harness.answer().transactions == [expected])
    }

    private static let histories: [[Message]] = [
        [.accepted(["1"]), .changed("1", .granted)],
        [
            .accepted(["1", "2", "3"]), .changed("1", .granted), .judged("2", .conflict),
            .changed("3", .ended),
        ],
        [.accepted(["1", "2"]), .changed("1", .granted), .changed("2", .parked, "unknownProduct")],
        [
            .accepted(["1", "2"], .parked, "wrongApp"), .accepted(["1", "2"]), .changed("1", .granted),
            .changed("2", .granted),
        ],
        [.whole(.parked, "untrusted"), .accepted(["1"]), .changed("1", .granted)],
        [.whole(.invalid, "badSignature"), .whole(.parked, "untrusted")],
        [.partly(["1"], .parked, "unreadable"), .changed("1", .granted)],
        [
            .partly(["1"], .parked, "unreadable"), .accepted(["1", "2"]), .changed("1", .granted),
            .changed("2", .granted),
        ],
    ]

    @Test func `of a proof that is readable in part only is not told by that part alone`() throws {
        let harness = try Harness()
        try harness.take(.partly(["1"], .parked, "unreadable"))
        try harness.take(.changed("1", .granted))
        let answer = try harness.answer()
        #expect(answer.verdict == .parked && answer.reason == "unreadable" && !answer.finish)
        #expect(answer.transactions.map(\.verdict) == [.granted])
        try harness.take(.accepted(["1", "2"]))
        #expect(try harness.answer().verdict == .pending)
        try harness.take(.changed("2", .granted))
        #expect(try harness.answer().verdict == .granted)
        #expect(try harness.answer().finish)
    }

    @Test func `of a proof that was no payment gives way to a better reading`() throws {
        let harness = try Harness()
        try harness.take(.whole(.invalid, "malformed"))
        #expect(try !harness.answer().finish)
        try harness.take(.accepted(["1"]))
        try harness.take(.changed("1", .granted))
        #expect(try harness.answer().verdict == .granted)
        #expect(try harness.answer().finish)
    }

    @Test func `that a phone was told is final is not reopened by a later reading`() throws {
        let harness = try Harness()
        try harness.take(.accepted(["1"]))
        try harness.take(.changed("1", .granted))
        try harness.take(.whole(.parked, "untrusted"))
        #expect(try harness.answer().verdict == .granted)
    }

    @Test(arguments: histories)
    private func `is the same in whatever order the messages arrive`(history: [Message]) throws {
        var answers: Set<ReceiptVerdictV1> = []
        for order in Self.permutations(history) {
            let harness = try Harness()
            for message in order { try harness.take(message) }
            answers.insert(try harness.answer())
        }
        #expect(answers.count == 1)
    }

    @Test(arguments: histories)
    private func `that is final stays final`(history: [Message]) throws {
        for order in Self.permutations(history) {
            let harness = try Harness()
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
        let harness = try Harness()
        for message in history {
            switch message {
            case .judged, .changed: try harness.take(message)
            case .accepted, .whole, .partly: continue
            }
        }
        #expect(try harness.answer() == ReceiptVerdictV1(receiptId: Harness.receipt, verdict: .pending))
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

    @Test func `on an unreadable submission is told with its reason`() throws {
        let harness = try Harness()
        try harness.take(.whole(.invalid, "badSignature"))
        let expected = ReceiptVerdictV1(receiptId: Harness.receipt, verdict: .invalid, reason: "badSignature")
        #expect(try harness.answer() == expected)
    }
}

@Suite struct `one who waits` {
    private typealias Harness = NotificationsHarness

    @Test func `for a receipt that was not heard of waits for it, and hears pending otherwise`() throws {
        let harness = try Harness()
        guard case .wait(let key, let until, let otherwise) = try harness.ask(wait: 5_000) else {
            Issue.record("answered at once")
            return
        }
        #expect(key == Harness.receipt.rawValue)
        #expect(until == harness.now.advanced(by: 5_000))
        #expect(otherwise == ReceiptVerdictV1(receiptId: Harness.receipt, verdict: .pending))
    }

    @Test func `waits no longer than the longest wait`() throws {
        let harness = try Harness()
        guard case .wait(_, let until, _) = try harness.ask(wait: .max) else {
            Issue.record("answered at once")
            return
        }
        #expect(until == harness.now.advanced(by: 30_000))
    }

    @Test(arguments: Verdict.allCases.filter { $0 != .pending })
    func `is answered at once when the verdict is known`(verdict: Verdict) throws {
        let harness = try Harness()
        try harness.take(.accepted(["1"]))
        try harness.take(.changed("1", verdict))
        guard case .reply(let reply) = try harness.ask(wait: 5_000) else {
            Issue.record("has to wait")
            return
        }
        #expect(reply.verdict == verdict)
    }

    @Test func `is woken by every change, and by nothing else`() throws {
        let harness = try Harness()
        let receipt: Set = [Harness.receipt.rawValue]
        try harness.take(.accepted(["1"]))
        #expect(harness.woken == receipt)
        try harness.take(.accepted(["1"]))
        #expect(harness.woken.isEmpty)
        try harness.take(.changed("1", .granted))
        #expect(harness.woken == receipt)
        try harness.take(.changed("1", .granted))
        #expect(harness.woken.isEmpty)
    }

    @Test func `for another app's receipt is told that there is none`() throws {
        let harness = try Harness()
        try harness.take(.accepted(["1"]))
        guard case .refused(let refusal) = try harness.ask(of: BundleID(unchecked: "com.example.other"))
        else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .notFound)
    }
}

@Suite struct `the verdicts on one purchase` {
    private typealias Harness = NotificationsHarness

    private static let since = Timestamp(milliseconds: 1_760_000_000_500)
    /// Another proof of the same purchase, by the same buyer.
    private static let other = Submission(
        receiptId: ReceiptID(
            shard: PartitionKey.buyer(Harness.buyer, of: Harness.bundle).shard,
            digest: Array(repeating: 8, count: 16)
        ),
        submitter: Harness.buyer
    )

    private let harness: Harness

    init() throws { harness = try Harness() }

    /// Says of transaction 1 what its buyer's ledger says.
    private func ledgerSays(
        _ verdict: Verdict,
        reason: String? = nil,
        to submission: Submission? = nil
    ) throws {
        let change = Harness.change(
            "1",
            verdict: verdict,
            grantedAt: verdict == .granted ? Self.since : nil,
            reason: reason,
            submission: submission
        )
        try harness.handle(change, OnEntitlementChanged(subscribers: []).callAsFunction)
    }

    /// Hands in both proofs, of which the ledger says this.
    private func handIn(_ verdict: Verdict, reason: String? = nil) throws {
        for submission in [Harness.submission, Self.other] {
            let body = ReceiptAcceptedV1(
                bundleId: Harness.bundle,
                submission: submission,
                transactions: [TransactionVerdict(Harness.facts("1"), verdict: .pending)]
            )
            try harness.handle(body, OnReceiptAccepted().callAsFunction)
            try ledgerSays(verdict, reason: reason, to: submission)
        }
    }

    private func answers() throws -> [ReceiptVerdictV1] {
        try [Harness.submission, Self.other].map { submission in
            guard case .reply(let reply) = try harness.ask(submission.receiptId) else {
                throw CancellationError()
            }
            return reply
        }
    }

    @Test func `tell since when the buyer's ledger has it`() throws {
        try handIn(.granted)
        #expect(try answers().map(\.verdict) == [.granted, .granted])
        #expect(try answers().flatMap(\.transactions).map(\.grantedAt) == [Self.since, Self.since])
    }

    @Test func `end with a refund that nobody handed in, and hold again when it is reversed`() throws {
        try handIn(.granted)
        try ledgerSays(.ended, reason: "refunded")
        #expect(harness.woken == [Harness.receipt.rawValue, Self.other.receiptId.rawValue])
        #expect(try answers().map(\.verdict) == [.ended, .ended])
        #expect(try answers().map(\.reason) == ["refunded", "refunded"])
        #expect(try answers().flatMap(\.transactions).map(\.grantedAt) == [nil, nil])
        try ledgerSays(.granted)
        #expect(try answers().map(\.verdict) == [.granted, .granted])
        #expect(try answers().flatMap(\.transactions).map(\.reason) == [nil, nil])
    }

    @Test func `that was parked are all told when an operator releases it`() throws {
        try handIn(.parked, reason: "unknownProduct")
        #expect(try answers().map(\.finish) == [false, false])
        try ledgerSays(.granted, to: Self.other)
        #expect(try answers().map(\.verdict) == [.granted, .granted])
    }

    @Test func `of one buyer say nothing of what another buyer handed in`() throws {
        try handIn(.granted)
        let eve = Submission(
            receiptId: ReceiptID(shard: Shard(rawValue: 5), digest: Array(repeating: 9, count: 16)),
            submitter: BuyerID(unchecked: "eve")
        )
        let judged = TransactionVerdict(Harness.facts("1"), verdict: .conflict)
        let body = ClaimConflictedV1(bundleId: Harness.bundle, submission: eve, transaction: judged)
        try harness.handle(body, OnClaimConflicted().callAsFunction)
        let accepted = ReceiptAcceptedV1(
            bundleId: Harness.bundle,
            submission: eve,
            transactions: [TransactionVerdict(Harness.facts("1"), verdict: .pending)]
        )
        try harness.handle(accepted, OnReceiptAccepted().callAsFunction)
        try ledgerSays(.ended, reason: "refunded")
        guard case .reply(let reply) = try harness.ask(eve.receiptId) else {
            Issue.record("no reply")
            return
        }
        #expect(reply.verdict == .conflict)
    }
}
