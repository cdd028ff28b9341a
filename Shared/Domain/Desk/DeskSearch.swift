package import Contracts

/// Finds all that is known by one name of an order, a purchase, a receipt or a buyer.
///
/// Every partition is asked about the name, then about the names in the answers, until no answer has a new one.
package struct DeskSearch<Asker: DeskAsker>: Sendable {
    /// What was found, and which partitions did not answer.
    package struct Found: Sendable {
        package var facts: [DeskFact] = []
        package var missed: Set<PartitionAddress> = []
        /// Whether more is known than a search follows.
        package var isCut = false
    }

    private let asker: Asker
    private let apps: [BundleID]

    package init(_ asker: Asker, of apps: [BundleID]) { (self.asker, self.apps) = (asker, apps) }

    /// Whether a text is written as Apple writes its order numbers: a player's name seldom is.
    package static func isAppleOrder(_ text: String) -> Bool {
        AppleOrderID(rawValue: text)?.rawValue == text
    }

    /// What is known of a text; `asksApple` about an order number that nobody knows.
    package func find(_ text: String, asksApple: Bool) async -> Found {
        var result = await follow(text)
        if result.facts.isEmpty || result.facts.contains(where: { $0.kind == .appleOrderUnknown }),
            asksApple, let order = AppleOrderID(rawValue: text), await isAnswered(order)
        {
            result = await follow(text)
        }
        await nameHolders(of: &result)
        let purchases = Set(result.facts.compactMap(\.purchaseId?.rawValue))
        let proposals = Set(result.facts.filter { $0.kind == .compensated }.compactMap(\.reference))
        let subjects = proposals.sorted() + purchases.sorted()
        if subjects.count > DeskSearchLimits.subjectsOfActs { result.isCut = true }
        await addActs(about: subjects.prefix(DeskSearchLimits.subjectsOfActs), to: &result)
        return result
    }

    /// Names beside an orphan who has bought with its Apple Account.
    private func nameHolders(of found: inout Found) async {
        let orphans = found.facts.indices.filter {
            found.facts[$0].kind == .orphan && found.facts[$0].account != nil
        }
        let accounts = Set(orphans.compactMap { found.facts[$0].account }).sorted()
        guard !accounts.isEmpty else { return }
        let question = FactsFindV1(texts: [], bundleIds: [], accounts: accounts)
        let addresses = asker.everywhere.filter { $0.service == .receipts && !found.missed.contains($0) }
        let buyers = await asker.answers(to: question, of: addresses).replies.flatMap(\.buyers)
        for index in orphans {
            let orphan = found.facts[index]
            let buyer = buyers.first {
                $0.account == orphan.account && $0.bundleId == orphan.bundleId
                    && $0.environment == orphan.environment
            }
            found.facts[index].otherBuyerId = buyer?.buyerId
        }
    }

    /// Asks Apple about an order of its own, and waits a little; whether there is anything new to be read.
    private func isAnswered(_ order: AppleOrderID) async -> Bool {
        let partitions = asker.everywhere.count { $0.service == .receipts }
        guard partitions > 0 else { return false }
        var open = apps
        for turn in 0..<DeskSearchLimits.turnsOfApple where !open.isEmpty {
            if turn > 0 { await DeskSearchLimits.pause() }
            var asked: [BundleID] = []
            for app in open {
                let question = AppleOrderAskV1(bundleId: app, appleOrderId: order)
                guard let partition = question.route.owner(of: partitions) else { continue }
                if await asker.answer(to: question, of: partition)?.state == .asked { asked.append(app) }
            }
            open = asked
        }
        return true
    }

    private func follow(_ text: String) async -> Found {
        var (found, asked) = (Found(), Set<String>())
        // An order's id is found in any case.
        var open: Set<String> = [text, OrderID(rawValue: text)?.rawValue ?? text]
        if let order = AppleOrderID(rawValue: text) { open.insert(order.rawValue) }
        for _ in 0..<DeskSearchLimits.rounds where !open.isEmpty && asked.count < DeskSearchLimits.names {
            let some = Array(open.sorted().prefix(FactsFindV1.maximumTexts))
            asked.formUnion(some)
            let reachable = asker.everywhere.filter { !found.missed.contains($0) }
            // A buyer is looked for once: what is found of an order names no further buyers.
            let question = FactsFindV1(texts: some, bundleIds: asked.count <= 3 ? apps : [])
            let answers = await asker.answers(to: question, of: reachable)
            found.facts += answers.replies.flatMap(\.facts)
            found.missed.formUnion(answers.missed)
            if answers.replies.contains(where: \.isCut) { found.isCut = true }
            open = open.union(answers.replies.flatMap(\.related)).subtracting(asked)
        }
        if !open.isEmpty { found.isCut = true }
        found.facts = Array(Set(found.facts))
        return found
    }

    /// What operators have done with purchases and proposals, which are asked about side by side.
    private func addActs(about subjects: some Sequence<String>, to found: inout Found) async {
        let reachable = asker.everywhere.filter { !found.missed.contains($0) }
        let answers = await withTaskGroup { group in
            for subject in subjects {
                let question = ActsListV1(about: subject, limit: DeskSearchLimits.actsOfSubject)
                group.addTask { (subject, answers: await asker.answers(to: question, of: reachable)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let facts = found.facts
        for (subject, acts) in answers {
            let concerned = facts.first { $0.reference == subject && $0.kind == .compensated }
            found.missed.formUnion(acts.missed)
            found.facts += acts.replies.flatMap(\.self).map { act in
                var fact = DeskFact(act.operatorId == nil ? .ledgerAct : .act, at: act.time)
                fact.purchaseId = concerned == nil ? PurchaseID(rawValue: subject) : concerned?.purchaseId
                fact.orderId = concerned?.orderId
                (fact.word, fact.detail) = (act.kind.rawValue, act.reason)
                return fact
            }
        }
    }
}

private enum DeskSearchLimits {
    static let rounds = 8
    static let names = 1_000
    static let subjectsOfActs = 20
    static let actsOfSubject = 20
    /// How often it is asked whether Apple has answered.
    static let turnsOfApple = 20

    /// Between two such questions; a search that is cancelled does not wait.
    static func pause() async {
        do { try await Task.sleep(for: .milliseconds(250)) } catch { return }
    }
}
