import Contracts
import Domain
import Testing

@Suite struct `a search of the desk` {
    /// What was asked.
    private actor Asked {
        private(set) var texts: [String] = []
        private(set) var questionsToApple = 0

        func note(_ more: [String]) { texts += more }
        func noteQuestionToApple() { questionsToApple += 1 }
    }

    /// Purchases that relate to each other.
    private struct Group: DeskAsker {
        let everywhere = [PartitionAddress(.receipts, 0), PartitionAddress(.entitlements, 0)]
        let asked = Asked()
        private let related: [String: [String]]
        /// Of what a partition knows more than it answers.
        private let cut: Set<String>

        init(_ related: [String: [String]] = [:], cut: Set<String> = []) {
            (self.related, self.cut) = (related, cut)
        }

        @concurrent func answer<Question: RequestContract>(
            to question: Question,
            of partition: PartitionAddress
        ) async -> Question.Reply? {
            switch question {
            case let question as FactsFindV1:
                guard partition.service == .receipts else { return FoundFacts() as? Question.Reply }
                await asked.note(question.texts)
                return found(question.texts) as? Question.Reply
            case is AppleOrderAskV1:
                await asked.noteQuestionToApple()
                return AppleOrderV1(state: .unknown) as? Question.Reply
            case is ActsListV1: return [Act]() as? Question.Reply
            case _: return nil
            }
        }

        private func found(_ texts: [String]) -> FoundFacts {
            var found = FoundFacts()
            for text in texts {
                guard let names = related[text] else { continue }
                var fact = DeskFact(.bought, at: DeskSample.minute(1))
                fact.purchaseId = PurchaseID(unchecked: text)
                found.facts.append(fact)
                found.related += names
                if cut.contains(text) { found.isCut = true }
            }
            return found
        }
    }

    private static let app = BundleID(unchecked: "com.example.game")

    private static func find(
        _ text: String,
        in group: Group,
        asksApple: Bool = false
    ) async
        -> DeskSearch<Group>.Found
    {
        await DeskSearch(group, of: [app]).find(text, asksApple: asksApple)
    }

    @Test func `follows every name once, more of them than one question takes`() async {
        let names = (0..<300).map(String.init)
        let group = Group(["ada": names])
        let found = await Self.find("ada", in: group)
        let texts = await group.asked.texts
        #expect(Set(texts) == Set(names + ["ada"]) && texts.count == 301)
        #expect(!found.isCut)
    }

    @Test func `says so where it knows of more than it follows`() async {
        let names = (0..<2_000).map(String.init)
        #expect(await Self.find("ada", in: Group(["ada": names])).isCut)
        let purchases = Dictionary(uniqueKeysWithValues: (0..<30).map { (String($0), [String]()) })
        let many = Group(purchases.merging(["ada": Array(purchases.keys)]) { first, _ in first })
        #expect(await Self.find("ada", in: many).isCut, "no more than 20 are asked for their acts")
        let chain = ["ada": ["1"], "1": ["2"], "2": []]
        for name in chain.keys {
            #expect(await Self.find("ada", in: Group(chain, cut: [name])).isCut, "\(name)")
        }
    }

    @Test func `asks Apple only where that is wanted, and nothing is known`() async {
        let group = Group(["7": []])
        _ = await Self.find("player01", in: group)
        _ = await Self.find("7", in: group, asksApple: true)
        #expect(await group.asked.questionsToApple == 0)
        _ = await Self.find("MQ5LB2JHXY", in: group, asksApple: true)
        #expect(await group.asked.questionsToApple > 0)
    }

    @Test(arguments: [("MQ5LB2JHXY", true), ("mq5lb2jhxy", false), ("player01", false), ("20000008", false)])
    func `takes for an order number of Apple's what is written as one`(text: String, isOne: Bool) {
        #expect(DeskSearch<Group>.isAppleOrder(text) == isOne)
    }
}
