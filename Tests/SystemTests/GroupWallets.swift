import Contracts
import Database
import TestKit

/// The buyers' servers, which spend, credit and give back; they repeat what was not answered, and more.
extension GroupSimulation {
    /// How often one request is made at most.
    private static let attempts = 6

    func act(_ number: Int) {
        guard !script.walletActions[number].isOver, script.walletActions[number].attempts < Self.attempts
        else { return }
        let action = script.walletActions[number]
        script.walletActions[number].attempts += 1
        let key = "wallet-\(number)"
        switch action.kind {
        case .spend: request(action.movement(.spend, key: key), number)
        case .credit: request(action.movement(.credit, key: key), number)
        case .reversal(let spend):
            if let entry = script.walletActions[spend].answers.first?.entry.entryId {
                request(action.reversal(of: entry, key: key), number)
            } else if hasFaults {
                return schedule(after: random.within(100...900)) { $0.act(number) }
            }
        }
        guard hasFaults, random.happens(perMille: 200) else { return }
        schedule(after: random.within(1...1_200)) { $0.act(number) }
    }

    /// How many entries a buyer's ledger has.
    private func entryCount(_ buyer: BuyerID) -> Int64 {
        attempt("a ledger cannot be read", else: 0) {
            let rows = try partitions[partition(.entitlements, of: buyer)]?.store
                .read("SELECT COUNT(*) AS count FROM ledger WHERE buyer_id = \(buyer)")
            return try rows?.first?["count"] ?? 0
        }
    }

    private func entries(of buyer: BuyerID, since before: Int64) -> ClosedRange<Int64> {
        before...max(before, entryCount(buyer))
    }

    private func request<Question: RequestContract>(_ question: Question, _ number: Int)
    where Question.Reply == WalletEntryV1 {
        let buyer = script.walletActions[number].buyer
        let before = entryCount(buyer)
        script.walletActions[number].firstEntries = script.walletActions[number].firstEntries ?? before
        ask(question, of: partition(.entitlements, of: buyer)) {
            $0.repeatUnanswered(number)
        } conflicted: { simulation, refusal in
            simulation.note(refusal, number, entries: simulation.entries(of: buyer, since: before))
        } answered: { simulation, entry in
            let entries = simulation.entries(of: buyer, since: before)
            simulation.note(GroupWalletAction.Answer(entry: entry, entries: entries), number)
        }
    }

    /// Nobody knows whether it was carried out; a server may die of it.
    private func repeatUnanswered(_ number: Int) {
        if hasFaults, random.happens(perMille: 200) {
            script.walletActions[number].isOver = true
        } else {
            act(number)
        }
    }

    private func note(_ answer: GroupWalletAction.Answer, _ number: Int) {
        let isRepeated = !script.walletActions[number].answers.isEmpty
        script.walletActions[number].answers.append(answer)
        if isRepeated { return counts.count(GroupDeal.repeatedKey) }
        guard hasFaults, random.happens(perMille: 300) else { return }
        reuseKey(of: number)
    }

    /// The same key with other content, which must change nothing.
    private func reuseKey(of number: Int) {
        let action = script.walletActions[number]
        guard case .spend = action.kind else { return }
        var question = action.movement(.spend, key: "wallet-\(number)")
        question.amount += 1
        ask(question, of: partition(.entitlements, of: action.buyer), again: nil) { simulation, refusal in
            if refusal.reason != "keyReused" { simulation.fail("a used key was refused with \(refusal)") }
        } answered: {
            $0.fail("the key of \(action) was used again for \(question): \($1)", .nothingTwice)
        }
    }

    private func note(_ refusal: RequestRefusal, _ number: Int, entries: ClosedRange<Int64>) {
        switch (script.walletActions[number].kind, refusal.reason) {
        case (.spend, "insufficient"):
            counts.count(GroupDeal.refusedSpend)
            script.walletActions[number].shortages.append(entries)
            // The key is not used up.
            schedule(after: random.within(200...2_000)) { $0.act(number) }
        case (.reversal, "alreadyReversed"): script.walletActions[number].isOver = true
        default: fail("\(script.walletActions[number]) was refused with \(refusal)")
        }
    }
}

extension GroupWalletAction {
    func movement(_ kind: WalletMoveV1.Kind, key: String) -> WalletMoveV1 {
        WalletMoveV1(
            bundleId: GroupWorld.app,
            buyerId: buyer,
            environment: .production,
            kind: kind,
            entitlement: entitlement,
            amount: amount,
            idempotencyKey: key,
            reason: kind == .spend ? "shop" : nil
        )
    }

    func reversal(of entry: String, key: String) -> SpendReverseV1 {
        SpendReverseV1(
            bundleId: GroupWorld.app,
            buyerId: buyer,
            entryId: entry,
            idempotencyKey: key
        )
    }
}
