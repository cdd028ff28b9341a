package import Contracts

/// Who asks the partitions of a group.
package protocol DeskAsker: Sendable {
    /// Every partition.
    var everywhere: [PartitionAddress] { get }
    /// The reply of a partition; nil when it did not answer.
    @concurrent func answer<Question: RequestContract>(
        to question: Question,
        of partition: PartitionAddress
    ) async -> Question.Reply?
}

extension DeskAsker {
    /// The replies of some partitions, asked side by side, and those that did not answer.
    package func answers<Question: RequestContract>(
        to question: Question,
        of partitions: [PartitionAddress]
    ) async -> (replies: [Question.Reply], missed: Set<PartitionAddress>) {
        await withTaskGroup(of: (PartitionAddress, Question.Reply?).self) { group in
            for address in partitions {
                group.addTask { (address, await self.answer(to: question, of: address)) }
            }
            var (replies, missed): ([PartitionAddress: Question.Reply], Set<PartitionAddress>) = ([:], [])
            for await (address, reply) in group {
                if let reply { replies[address] = reply } else { missed.insert(address) }
            }
            return (replies.sorted { $0.key < $1.key }.map(\.value), missed)
        }
    }
}

/// Finds all that is known by one name of an order, a purchase, a receipt or a buyer.
///
/// Every partition is asked about the name, then about the names in the answers, until no answer has a new one.
package struct DeskSearch<Asker: DeskAsker>: Sendable {
    /// What was found, and which partitions did not answer.
    package struct Found: Sendable {
        package var facts: [DeskFact] = []
        package var missed: Set<PartitionAddress> = []
    }

    private let asker: Asker
    private let apps: [BundleID]

    package init(_ asker: Asker, of apps: [BundleID]) { (self.asker, self.apps) = (asker, apps) }

    /// What is known of a text.
    package func find(_ text: String) async -> Found {
        let (found, names) = await follow(text)
        var result = found
        let purchases = Set(result.facts.compactMap(\.purchaseId?.rawValue))
        for subject in ([text] + purchases.sorted()).prefix(DeskSearchLimits.subjectsOfActs) {
            await addActs(about: subject, names, to: &result)
        }
        return result
    }

    private func follow(_ text: String) async -> (Found, names: Set<String>) {
        var (found, asked) = (Found(), Set<String>())
        // An order's id is found in any case.
        var open: Set<String> = [text, OrderID(rawValue: text)?.rawValue ?? text]
        for _ in 0..<DeskSearchLimits.rounds where !open.isEmpty && asked.count < DeskSearchLimits.names {
            asked.formUnion(open)
            let some = Array(open.sorted().prefix(FactsFindV1.maximumTexts))
            let reachable = asker.everywhere.filter { !found.missed.contains($0) }
            // A buyer is looked for once: what is found of an order names no further buyers.
            let question = FactsFindV1(texts: some, bundleIds: asked.count <= 2 ? apps : [])
            let answers = await asker.answers(to: question, of: reachable)
            found.facts += answers.replies.flatMap(\.facts)
            found.missed.formUnion(answers.missed)
            open = Set(answers.replies.flatMap(\.related)).subtracting(asked)
        }
        found.facts = Array(Set(found.facts))
        return (found, asked)
    }

    private func addActs(about subject: String, _ names: Set<String>, to found: inout Found) async {
        let question = ActsListV1(about: subject, limit: DeskSearchLimits.actsOfSubject)
        let reachable = asker.everywhere.filter { !found.missed.contains($0) }
        let acts = await asker.answers(to: question, of: reachable)
        found.missed.formUnion(acts.missed)
        found.facts += acts.replies.flatMap(\.self).map { act in
            var fact = DeskFact(.act, at: act.time)
            fact.purchaseId = names.contains(act.subject) ? PurchaseID(rawValue: act.subject) : nil
            (fact.word, fact.detail) = (act.kind.rawValue, act.reason)
            return fact
        }
    }
}

private enum DeskSearchLimits {
    static let rounds = 8
    static let names = 1_000
    static let subjectsOfActs = 6
    static let actsOfSubject = 20
}
