import Contracts
import Domain
import Testing

/// Facts of one purchase, written shortly.
enum DeskSample {
    static let order = OrderID(
        time: Timestamp(milliseconds: 1_767_225_600_000),
        shard: Shard(rawValue: 5),
        random: 1
    )
    /// The day of all facts, 2026-01-01.
    static let now = minute(30)

    static func minute(_ minute: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_767_268_800_000 + minute * 60_000)
    }

    /// A fact of the one purchase, minutes after 12:00.
    static func fact(_ kind: DeskFact.Kind, _ minutes: Int64 = 3, buyer: String = "ada") -> DeskFact {
        var fact = DeskFact(kind, at: minute(minutes))
        fact.purchaseId = PurchaseID(unchecked: "2000000812345678")
        (fact.orderId, fact.buyerId) = (order, BuyerID(unchecked: buyer))
        return fact
    }

    /// The server has refused the webhook four times.
    static func refusal(_ answer: String = "500") -> DeskFact {
        var refused = fact(.serverRefuses, 4)
        (refused.word, refused.count, refused.next) = (answer, 4, minute(41))
        return refused
    }
}

@Suite struct `how a purchase stands` {
    /// Facts and what they make of the purchase, a rule each.
    struct Rule: CustomStringConvertible, Sendable {
        let facts: [DeskFact]
        let kind: DeskState.Kind

        var description: String { kind.rawValue }
    }

    static let rules: [Rule] = [
        Rule(facts: [fact(.bought), fact(.held), fact(.granted)], kind: .granted),
        Rule(facts: [fact(.granted), fact(.refunded, 9)], kind: .refundUnderWay),
        Rule(facts: [fact(.paid), fact(.grantParked)], kind: .parked),
        Rule(facts: [fact(.granted), fact(.refunded, 8), fact(.grantReversed, 9)], kind: .takenBack),
        Rule(facts: [fact(.refunded), fact(.neverGranted)], kind: .neverGranted),
        Rule(facts: [fact(.bought), fact(.paid)], kind: .awaitsLedger),
        Rule(facts: [fact(.bought), fact(.held)], kind: .awaitsLedger),
        Rule(facts: [fact(.bought), fact(.orphan)], kind: .orphan),
        Rule(facts: [fact(.bought), fact(.awaitsApple)], kind: .awaitsApple),
        Rule(facts: [fact(.bought), fact(.awaitsOrders)], kind: .awaitsOrders),
        Rule(facts: [fact(.handedIn), fact(.proofParked)], kind: .proofParked),
        Rule(facts: [fact(.handedIn), fact(.proofPending)], kind: .proofPending),
        Rule(facts: [fact(.handedIn), fact(.proofInvalid)], kind: .proofInvalid),
        Rule(facts: [fact(.ordered), fact(.reported), compensation(.granted)], kind: .compensated),
        Rule(facts: [fact(.appleOrderUnknown), compensation(.reversed)], kind: .compensationReversed),
        Rule(facts: [fact(.appleOrderUnknown), compensation(.void)], kind: .compensationVoid),
        Rule(facts: [fact(.awaitsPayment), compensation(.reversed)], kind: .unpaid),
        Rule(
            facts: [fact(.ordered), compensation(.void), compensation(.proposed)],
            kind: .compensationProposed
        ),
        Rule(facts: [fact(.ordered), fact(.reported), fact(.awaitsPayment)], kind: .failed),
        Rule(facts: [fact(.ordered), fact(.awaitsPayment)], kind: .unpaid),
        Rule(facts: [fact(.ordered), fact(.closed)], kind: .closed),
        Rule(facts: [fact(.appleOrderAsked)], kind: .appleOrderAsked),
        Rule(facts: [fact(.appleOrderUnknown)], kind: .appleOrderUnknown),
        Rule(facts: [], kind: .unknown),
    ]

    private static func fact(_ kind: DeskFact.Kind, _ minutes: Int64 = 3) -> DeskFact {
        DeskSample.fact(kind, minutes)
    }

    /// The order's compensation, five minutes after 12:00.
    private static func compensation(_ state: CompensationV1.State) -> DeskFact {
        var fact = DeskSample.fact(.compensated, 5)
        let id = ProposalID(.compensation, shard: Shard(rawValue: 5), digest: Array(repeating: 7, count: 14))
        (fact.word, fact.reference, fact.purchaseId) = (state.rawValue, id.rawValue, .compensation(id))
        return fact
    }

    @Test func `is compensated where a compensation alone gave the goods, and granted beside it`() {
        var given = DeskSample.fact(.granted, 6)
        given.purchaseId = Self.compensation(.granted).purchaseId
        let compensated = [DeskSample.fact(.ordered, 1), Self.compensation(.granted), given]
        #expect(DeskState(compensated).kind == .compensated)
        var reversed = given
        (reversed.kind, reversed.at) = (.grantReversed, DeskSample.minute(9))
        let late = [DeskSample.fact(.bought, 8), DeskSample.fact(.granted, 9)]
        let matched = [DeskSample.fact(.ordered, 1), Self.compensation(.matched), given, reversed] + late
        #expect(DeskState(matched).kind == .granted)
        let sentences = DeskSentence(DeskValues(.english, now: DeskSample.now))
        #expect(sentences.of(compensated).hasPrefix("No payment is known; compensated 12:05 by c0005"))
        let beside = sentences.of(late + [Self.compensation(.granted), given])
        #expect(beside.hasPrefix("Paid 12:08, granted 12:09; compensated 12:05 by c0005"))
        let waiting = DeskFinding([Self.compensation(.proposed)], of: "x", in: .english, now: DeskSample.now)
        #expect(waiting.purchases[0].lines[0].help?.contains("counterfoil confirm c0005") == true)
        #expect(waiting.purchases[0].purchaseId == nil)
        var (unknown, made) = (
            DeskFact(.appleOrderUnknown, at: DeskSample.minute(1)), Self.compensation(.granted)
        )
        unknown.appleOrderId = AppleOrderID(unchecked: "MQ5LB2JHXY")
        made.appleOrderId = unknown.appleOrderId
        let known = DeskFinding([unknown, made], of: "MQ5LB2JHXY", in: .english, now: DeskSample.now)
        #expect(known.sentence.hasPrefix("No payment is known; compensated 12:05"), "\(known.sentence)")
    }

    @Test func `is compensated and taken back where operators have done both, beside what else is known`() {
        var reversed = Self.compensation(.reversed)
        (reversed.since, reversed.at) = (DeskSample.minute(15), DeskSample.minute(16))
        let sentences = DeskSentence(DeskValues(.english, now: DeskSample.now))
        let unknown = DeskFact(.appleOrderUnknown, at: DeskSample.minute(1))
        #expect(
            sentences.of([unknown, reversed]) == "No payment is known; compensated 12:15, taken back 12:16"
        )
        let unpaid = sentences.of([DeskSample.fact(.awaitsPayment, 1), reversed])
        #expect(unpaid.hasSuffix("; compensated 12:15, taken back 12:16"), "\(unpaid)")
    }

    @Test(arguments: rules)
    func `follows from the first rule that holds, in whatever order the facts come`(rule: Rule) {
        #expect(DeskState(rule.facts).kind == rule.kind)
        #expect(DeskState(rule.facts.reversed()).kind == rule.kind)
    }

    @Test func `has a rule for each of its kinds`() {
        #expect(Set(Self.rules.map(\.kind)) == Set(DeskState.Kind.allCases))
    }

    @Test func `is granted to whom it moved, though the former buyer has it no more`() {
        let moved = [
            DeskSample.fact(.granted, 3, buyer: "eve"), DeskSample.fact(.grantVoid, 9, buyer: "eve"),
            DeskSample.fact(.granted, 10),
        ]
        #expect(DeskState(moved).kind == .granted)
        #expect(DeskState(Array(moved.prefix(2))).kind == .neverGranted)
    }

    @Test func `says of the server what its newest webhook says, a refusal before all`() {
        let (told, awaited) = (DeskSample.fact(.serverTold), DeskSample.fact(.serverAwaited, 5))
        #expect(DeskServer([told, awaited, DeskSample.refusal()]) == .refuses(DeskSample.refusal()))
        #expect(DeskServer([told, awaited]) == .awaited(awaited))
        #expect(DeskServer([told]) == .told(told))
        #expect(DeskServer([]) == .none)
    }
}
