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
