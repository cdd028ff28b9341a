import Contracts
import Domain
import Testing

@Suite struct `texts of the desk` {
    /// All texts in both languages, by what they are of.
    private static let texts: [(what: String, english: DeskTemplate, chinese: DeskTemplate)] =
        DeskFact.Kind.allCases.map { entry("fact \($0)", $0, DeskTexts.text) }
        + DeskState.Kind.allCases.map { entry("state \($0)", $0, DeskTexts.text) }
        + DeskAdvice.allCases.map { entry("advice \($0)", $0, DeskTexts.text) }
        + DeskPage.Holder.Sign.allCases.map { entry("sign \($0)", $0, DeskTexts.text) }
        + DeskPhrase.allCases.map { entry("phrase \($0)", $0, DeskTexts.text) }

    private static func entry<Key>(
        _ what: String,
        _ key: Key,
        _ text: (Key, DeskLanguage) -> DeskTemplate
    ) -> (what: String, english: DeskTemplate, chinese: DeskTemplate) {
        (what, text(key, .english), text(key, .simplifiedChinese))
    }

    @Test func `are in both languages, with the same places`() {
        for (what, english, chinese) in Self.texts {
            #expect(!english.text.isEmpty && !chinese.text.isEmpty, "\(what)")
            #expect(english.text.allSatisfy { $0.isASCII || "×…".contains($0) }, "\(what)")
            #expect(chinese.text.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) }, "\(what)")
            #expect(english.places == chinese.places, "\(what)")
        }
    }

    @Test func `have only places that a fact or the desk fills`() {
        var fact = DeskSample.refusal()
        (fact.otherBuyerId, fact.productId) = (BuyerID(unchecked: "eve"), ProductID(unchecked: "coins.120"))
        (fact.quantity, fact.price, fact.currency, fact.detail) = (1, 990, "USD", "2")
        (fact.transactionId, fact.reference) = (TransactionID(unchecked: "2000000812345678"), "shop-1")
        fact.since = DeskSample.minute(1)
        (fact.entitlement, fact.amount) = ("coins", 120)
        fact.receiptId = ReceiptID(unchecked: "r6b017557ca88ca88934ffc375a9d9a39a40bc3fe9299ed1b")
        let filled = DeskValues(.english, now: DeskSample.now).of(fact)
        let others: Set = [
            "paid", "granted", "sentence", "text", "missed", "after", "holder", "appleOrder", "goodwill",
            "proposer", "transactions",
        ]
        for (what, english, _) in Self.texts {
            #expect(english.places.isSubset(of: Set(filled.keys).union(others)), "\(what)")
        }
    }

    @Test func `translate every word that they know into both languages`() {
        for (kind, words) in DeskWords.known {
            for (word, texts) in words {
                #expect(!texts.0.isEmpty && texts.0.utf8.allSatisfy { $0 < 0x80 }, "\(kind) \(word)")
                #expect(DeskWords.text(word, of: kind, .simplifiedChinese) == texts.1)
            }
            #expect(DeskWords.text("neverHeardOf", of: kind, .english) == "neverHeardOf")
        }
        for evidence in HolderEvidence.allCases {
            #expect(DeskWords.known[.held]?[evidence.rawValue] != nil, "\(evidence)")
        }
        for step in StepLogEntry.Step.allCases {
            #expect(DeskWords.known[.phoneStep]?[step.rawValue] != nil, "\(step)")
        }
        for verdict in Verdict.allCases { #expect(DeskWords.known[.phoneTold]?[verdict.rawValue] != nil) }
        for word in ["proposed", "confirmed", "void"] {
            #expect(DeskWords.known[.moveProposed]?[word] != nil, "\(word)")
        }
        for origin in OrderV1.Origin.allCases {
            let kind: DeskFact.Kind = origin == .phone ? .ordered : .orderMade
            #expect(DeskWords.known[kind]?[origin.rawValue] != nil, "\(origin)")
        }
        for act in Act.Kind.allCases { #expect(DeskWords.known[.act]?[act.rawValue] != nil, "\(act)") }
        for state in CompensationV1.State.allCases {
            #expect(DeskWords.known[.compensated]?[state.rawValue] != nil, "\(state)")
        }
    }

    @Test func `leave a part in brackets out where a value is missing`() {
        let template = DeskTemplate("Paid {paid}[ by {buyer}][: {word}]; {other}")
        #expect(template.filled(["paid": "12:03", "word": "500"]) == "Paid 12:03: 500; ?")
        #expect(template.places == ["paid", "buyer", "word", "other"])
        #expect(DeskTemplate("a {b").filled([:]) == "a {b")
    }

    @Test(arguments: [
        ("zh_CN.UTF-8", DeskLanguage.simplifiedChinese), ("zh", .simplifiedChinese), ("de_DE", .english),
        ("C", .english), ("", .english),
    ])
    func `are in the language of the terminal`(locale: String, language: DeskLanguage) {
        #expect(DeskLanguage(locale: locale) == language)
        #expect(DeskLanguage(locale: nil) == .english)
    }

    @Test func `write money and times as people do`() {
        #expect(DeskValues.money(990, "USD") == "0.99 USD")
        #expect(DeskValues.money(6_000, "CNY") == "6.00 CNY")
        #expect(DeskValues.money(1_005, "KWD") == "1.005 KWD")
        #expect(DeskValues.money(nil, "USD") == nil)
        let values = DeskValues(.english, now: DeskSample.now)
        #expect(values.time(DeskSample.minute(3)) == "12:03")
        #expect(values.time(DeskSample.minute(-1_440)) == "2025-12-31 12:00")
    }
}
