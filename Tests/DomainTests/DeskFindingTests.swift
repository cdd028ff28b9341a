import Contracts
import Domain
import Testing

@Suite struct `what the desk finds` {
    private static func finding(
        _ facts: [DeskFact],
        _ language: DeskLanguage = .english
    ) -> DeskFinding {
        DeskFinding(facts, of: "ada", in: language, now: DeskSample.now)
    }

    private static let granted = [
        DeskSample.fact(.bought), DeskSample.fact(.held), DeskSample.fact(.granted),
    ]

    @Test func `is one sentence on top: paid, granted, and what the server answered`() {
        let finding = Self.finding(Self.granted + [DeskSample.refusal()])
        let sentence =
            "Paid 12:03, granted 12:03; your server refused the webhook 4 times: 500; next try 12:41"
        #expect(finding.sentence == sentence)
        let chinese = Self.finding(Self.granted + [DeskSample.refusal()], .simplifiedChinese)
        #expect(chinese.sentence == "12:03 付款，12:03 已发放；您的服务器 4 次拒绝了通知：500；12:41 重试")
    }

    @Test func `counts one refusal as once`() {
        var refused = DeskSample.refusal()
        refused.count = 1
        #expect(Self.finding(Self.granted + [refused]).sentence.contains("refused the webhook once: 500"))
    }

    @Test func `waits for the ledger until the holder has the grant`() {
        let open = DeskSample.fact(.awaitsLedger)
        func waits(_ facts: [DeskFact]) -> Bool {
            Self.finding(facts + [open]).purchases[0].lines.contains { $0.kind == .awaitsLedger }
        }
        #expect(!waits(Self.granted))
        #expect(waits([DeskSample.fact(.bought), DeskSample.fact(.held)]))
        #expect(waits(Self.granted + [DeskSample.fact(.held, 5, buyer: "bob")]), "it moves to bob")
    }

    @Test func `leads from an order that Apple does not know to a compensation, until there is one`() {
        func help(_ facts: [DeskFact]) -> [String] {
            Self.finding(facts).purchases.flatMap(\.lines).compactMap(\.help)
        }
        var unknown = DeskFact(.appleOrderUnknown, at: DeskSample.minute(1))
        (unknown.detail, unknown.appleOrderId) = ("MQ5LB2JHXY", AppleOrderID(unchecked: "MQ5LB2JHXY"))
        #expect(help([unknown]).contains { $0.contains("counterfoil grant … --apple-order MQ5LB2JHXY") })
        var given = DeskFact(.compensated, at: DeskSample.minute(5))
        (given.word, given.appleOrderId) = (CompensationV1.State.granted.rawValue, unknown.appleOrderId)
        #expect(help([unknown, given]).isEmpty)
    }

    @Test func `tells a server that is silent from one that refuses`() {
        let finding = Self.finding(Self.granted + [DeskSample.refusal("no answer")])
        #expect(finding.sentence.contains("did not answer the webhook 4 times"))
    }

    @Test func `is a timeline in the order of time, whatever partition answered first`() {
        var steps = [DeskSample.fact(.phoneStep, 1), DeskSample.fact(.phoneStep, 2)]
        (steps[0].word, steps[1].word, steps[1].detail) = ("asked", "failed", "SKErrorDomain 2")
        let lines = Self.finding((Self.granted + steps).reversed()).purchases[0].lines
        #expect(lines.map(\.time) == lines.map(\.time).sorted())
        #expect(lines[1].text == "phone: failed (SKErrorDomain 2)")
    }

    @Test func `says what would help where something waits, and by which ids it is known`() {
        var orphan = DeskSample.fact(.orphan)
        (orphan.orderId, orphan.buyerId) = (nil, nil)
        orphan.transactionId = TransactionID(unchecked: "2000000812345678")
        orphan.eventId = EventID(unchecked: "e-0002")
        let line = Self.finding([orphan]).purchases[0].lines[0]
        #expect(line.help?.contains("counterfoil assign 2000000812345678 --buyer") == true)
        #expect(line.evidence["message"] == "e-0002")
        #expect(Self.finding([DeskSample.fact(.granted)]).purchases[0].lines[0].help == nil)
    }

    @Test func `speaks first of the purchase of which somebody waits for something`() {
        var lost = DeskSample.fact(.orphan, 1)
        (lost.orderId, lost.purchaseId) = (nil, PurchaseID(unchecked: "5"))
        let finding = Self.finding(Self.granted + [lost])
        #expect(finding.purchases.count == 2)
        #expect(finding.purchases[0].purchaseId == PurchaseID(unchecked: "5"))
        #expect(finding.sentence.hasPrefix("2 purchases or orders"))
    }

    @Test func `is headed by the holder with the holder's order, whoever else claims it`() {
        var (contested, told) = (DeskSample.fact(.contested, 6), DeskSample.fact(.phoneTold, 7, buyer: "eve"))
        (contested.otherBuyerId, told.word, told.orderId) = (BuyerID(unchecked: "eve"), "conflict", nil)
        let purchase = Self.finding(Self.granted + [contested, told]).purchases[0]
        #expect(purchase.buyerId == BuyerID(unchecked: "ada") && purchase.orderId == DeskSample.order)
    }

    @Test func `says of an order that an assignment made that an operator decided, and nothing of a caller`()
    {
        var (made, paid, held) = (
            DeskSample.fact(.orderMade, 5), DeskSample.fact(.paid, 5), DeskSample.fact(.held, 5)
        )
        (made.word, made.productId, made.quantity) = ("server", ProductID(unchecked: "coins.120"), 1)
        (paid.word, held.word) = ("caller", "caller")
        func texts() -> [String] { Self.finding([made, paid, held]).purchases[0].lines.map(\.text) }
        #expect(
            texts() == [
                "an order of coins.120 × 1 was made for ada: Apple told of the payment",
                "the purchase pays this order of ada, because the buyer handed it in first",
                "ada is the holder, because the buyer handed it in first",
            ]
        )
        held.word = "reassigned"
        #expect(
            texts() == [
                "an order of coins.120 × 1 was made for ada: an operator gave it the purchase",
                "the purchase pays this order of ada, because an operator decided it",
                "ada is the holder, because an operator decided it",
            ]
        )
    }

    @Test func `tells what the ledger does by itself from what operators do`() {
        var acts = [DeskSample.fact(.act, 5), DeskSample.fact(.ledgerAct, 6)]
        (acts[0].word, acts[1].word) = ("assigned", "compensationMatched")
        #expect(
            Self.finding(acts).purchases[0].lines.map(\.text) == [
                "an operator acted: gave it to a buyer",
                "the ledger acted: the late proof took the compensation's place",
            ]
        )
    }

    @Test func `joins what shares an order or a purchase, and no purchases of one receipt`() {
        var (one, other, proof) = (
            DeskSample.fact(.bought), DeskSample.fact(.bought), DeskSample.fact(.handedIn)
        )
        let receipt = ReceiptID(unchecked: "r6b017557ca88ca88934ffc375a9d9a39a40bc3fe9299ed1b")
        (one.receiptId, one.orderId) = (receipt, nil)
        (other.receiptId, other.orderId, other.purchaseId) = (receipt, nil, PurchaseID(unchecked: "5"))
        (proof.receiptId, proof.orderId, proof.purchaseId) = (receipt, nil, nil)
        let groups = DeskGroups.of([one, other, proof])
        #expect(groups.count == 2)
        #expect(groups.map(\.count).reduce(0, +) == 3)
    }

    @Test func `says so where nothing is known`() {
        #expect(Self.finding([]).sentence == "nothing is known about ada")
        #expect(Self.finding([]).purchases.isEmpty)
    }
}
