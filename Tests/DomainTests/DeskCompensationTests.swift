import Contracts
import Domain
import Testing

@Suite struct `what the compensations of a purchase ask for` {
    private static let transaction = TransactionID(unchecked: "2000000812345678")
    private static let number = AppleOrderID(unchecked: "MQ5LB2JHXY")

    /// Bob's compensation on Apple's order, of which the transaction is known.
    private static func compensation(
        _ state: CompensationV1.State,
        of transactions: Int = 1,
        product: String = "coins.120"
    ) -> DeskFact {
        var fact = DeskFact(.compensated, at: DeskSample.minute(5))
        let id = ProposalID(.compensation, shard: Shard(rawValue: 5), digest: Array(repeating: 7, count: 14))
        (fact.word, fact.reference, fact.purchaseId) = (state.rawValue, id.rawValue, .compensation(id))
        (fact.buyerId, fact.transactionId) = (BuyerID(unchecked: "bob"), transaction)
        (fact.productId, fact.count) = (ProductID(unchecked: product), transactions)
        return fact
    }

    private static func fact(
        _ kind: DeskFact.Kind,
        _ minutes: Int64 = 3,
        of buyer: String? = nil
    ) -> DeskFact {
        var fact = DeskSample.fact(kind, minutes)
        (fact.orderId, fact.buyerId) = (nil, buyer.map(BuyerID.init(unchecked:)))
        (fact.transactionId, fact.productId) = (transaction, ProductID(unchecked: "coins.120"))
        return fact
    }

    private static func held(by buyer: String) -> [DeskFact] {
        [fact(.bought), fact(.held, of: buyer), fact(.granted, of: buyer)]
    }

    private static func finding(
        _ facts: [DeskFact],
        _ language: DeskLanguage = .english
    ) -> DeskFinding {
        DeskFinding(facts, of: "x", in: language, now: DeskSample.now)
    }

    private static func help(_ facts: [DeskFact]) -> [String] {
        finding(facts).purchases.flatMap(\.lines).compactMap(\.help)
    }

    @Test func `is first to know that two buyers hold goods for one payment, and to end it`() {
        let facts = Self.held(by: "carol") + [Self.compensation(.granted)]
        var other = DeskSample.fact(.awaitsPayment, 20)
        (other.purchaseId, other.orderId) = (nil, DeskSample.order)
        let finding = Self.finding(facts + [other])
        let sentence =
            "Two buyers hold goods for one payment: carol by the purchase, bob by compensation c0005"
        #expect(finding.purchases[0].sentence.hasPrefix(sentence), "\(finding.sentence)")
        #expect(finding.sentence.contains(sentence), "what is doubled comes first")
        let help = Self.help(facts)
        #expect(help.count == 1 && help[0].contains("counterfoil reverse c0005"), "\(help)")
        #expect(help[0].contains("unless it is bob"))
        let chinese = Self.finding(facts, .simplifiedChinese).sentence
        #expect(chinese.hasPrefix("两个买家因同一笔付款得到了商品：carol 通过购买，bob 通过补单 c0005"), "\(chinese)")
    }

    @Test func `is nothing beside the buyer's own purchase, or one that was taken back`() {
        for facts in [
            Self.held(by: "bob") + [Self.compensation(.granted)],
            Self.held(by: "carol") + [
                Self.fact(.grantReversed, 9, of: "carol"), Self.compensation(.granted),
            ],
            Self.held(by: "carol") + [Self.compensation(.reversed)],
            Self.held(by: "carol") + [Self.compensation(.matched)],
        ] {
            #expect(!Self.finding(facts).sentence.contains("Two buyers"), "\(Self.finding(facts).sentence)")
            #expect(Self.help(facts).isEmpty, "\(Self.help(facts))")
        }
    }

    @Test func `is nothing where the other buyer's is another product of the same order`() {
        let other = Self.held(by: "carol") + [Self.compensation(.granted, of: 2, product: "castle")]
        #expect(!Self.finding(other).sentence.contains("Two buyers"))
        let same = Self.held(by: "carol") + [Self.compensation(.granted, of: 2)]
        #expect(Self.finding(same).sentence.hasPrefix("Two buyers"))
        let only = Self.held(by: "carol") + [Self.compensation(.granted, product: "castle")]
        #expect(Self.finding(only).sentence.hasPrefix("Two buyers"), "one transaction is that purchase")
    }

    @Test(arguments: [CompensationV1.State.proposed, .granted])
    func `is to give an orphan to the buyer who has one, which nobody confirms`(state: CompensationV1.State) {
        let help = Self.help([Self.fact(.bought), Self.fact(.orphan), Self.compensation(state)])
        #expect(!help.isEmpty)
        for line in help {
            #expect(line.contains("counterfoil assign \(Self.transaction) --buyer bob"), "\(help)")
        }
    }

    @Test func `is to withdraw what nobody can confirm, as another buyer has the purchase`() {
        let help = Self.help(Self.held(by: "carol") + [Self.compensation(.proposed)])
        #expect(help.count == 1 && help[0].contains("of carol"), "\(help)")
        #expect(help[0].contains("counterfoil reverse c0005"))
        let waiting = Self.help([Self.compensation(.proposed)])
        #expect(waiting.count == 1 && waiting[0].contains("counterfoil confirm c0005"), "\(waiting)")
    }

    @Test func `stands behind what the operator has done, and before what it gave, in the same moment`() {
        var (act, given) = (Self.compensation(.granted), Self.fact(.granted, 5, of: "bob"))
        (act.kind, act.word, given.purchaseId) = (.act, "compensationConfirmed", act.purchaseId)
        let lines = Self.finding([given, Self.compensation(.granted), act]).purchases[0].lines
        #expect(lines.map(\.kind) == [.act, .compensated, .granted])
    }

    @Test(arguments: CompensationV1.State.allCases)
    func `is no second one on a number that Apple does not know, unless the first was withdrawn`(
        state: CompensationV1.State
    ) {
        var (unknown, known) = (
            DeskFact(.appleOrderUnknown, at: DeskSample.minute(1)), Self.compensation(state)
        )
        (unknown.detail, unknown.appleOrderId) = (Self.number.rawValue, Self.number)
        (known.transactionId, known.appleOrderId) = (nil, Self.number)
        let isInvited = Self.help([unknown, known]).contains { $0.contains("counterfoil grant") }
        #expect(isInvited == (state == .void))
    }
}
