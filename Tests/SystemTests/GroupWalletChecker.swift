import Contracts

/// Judges what was asked of the wallets: by the order in which a buyer's ledger has it, everything is explained.
///
/// So grants and spends of a buyer are linearizable: each answer is what that order comes to, and each request has its
/// place in it after it was made and before it was answered.
extension GroupChecker {
    func checkWallet(_ ledger: GroupLedger) throws {
        var places = Dictionary(
            ledger.entries.indices.filter { ledger.entries[$0].purchase == nil }.map {
                (ledger.entries[$0].id, $0)
            }
        ) { first, second in
            fail("\(ledger.entries[first]) and \(ledger.entries[second]) are one request", .nothingTwice)
            return second
        }
        for (number, action) in simulation.script.walletActions.enumerated() {
            let place = requests["wallet-\(number)"].flatMap { places.removeValue(forKey: $0) }
            checkAnswers(of: action, place, ledger)
            for entries in action.shortages { checkShortage(entries, action, ledger) }
        }
        let strangers = places.values.map { ledger.entries[$0] }
        if !strangers.isEmpty { fail("nobody asked for \(strangers)", .nothingTwice) }
        let undone = ledger.entries.filter { $0.kind == "spendReversal" }.map(\.undoes)
        if Set(undone).count != undone.count {
            fail("a spend was given back twice: \(undone)", .nothingTwice)
        }
    }

    private func checkAnswers(of action: GroupWalletAction, _ place: Int?, _ ledger: GroupLedger) {
        guard let place else {
            if !action.answers.isEmpty { fail("\(action) was carried out, and is lost", .nothingLost) }
            return
        }
        let entry = ledger.entries[place]
        simulation.counts.count(action.deal)
        if entry.account != account(of: action) || entry.change != change(action) {
            fail("\(action) has the entry \(entry)", .ledgerBalances)
        }
        for answer in action.answers {
            if answer.entry.entryId != entry.id || answer.entry != action.answers.first?.entry {
                fail("\(action) was answered in several ways", .nothingTwice)
            }
            if answer.entry.balance != ledger.balances[place] {
                fail(
                    "\(action) was told \(answer.entry), the ledger says \(ledger.balances[place])",
                    .ledgerBalances
                )
            }
            if entry.number > answer.entries.upperBound { fail("\(action) was answered before \(entry)") }
        }
        // A restored ledger numbers anew what it has lost.
        if let first = action.firstEntries, entry.number <= first, !simulation.hasRestored(.entitlements) {
            fail("\(entry) was there before \(action)")
        }
    }

    /// Whoever was refused had less at some moment between question and answer.
    private func checkShortage(
        _ entries: ClosedRange<Int64>,
        _ action: GroupWalletAction,
        _ ledger: GroupLedger
    ) {
        let isExplained = entries.contains {
            ledger.balance(of: account(of: action), after: $0) < action.amount
        }
        if !isExplained { fail("\(action) was refused, and there was enough", .ledgerBalances) }
    }

    private func account(of action: GroupWalletAction) -> GroupLedger.Account {
        .init(buyer: action.buyer, environment: .production, entitlement: action.entitlement)
    }

    /// What an action that was carried out adds to what its buyer holds.
    func change(_ action: GroupWalletAction) -> Int64 {
        switch action.kind {
        case .spend: -action.amount
        case .credit: action.amount
        case .reversal(let spend): simulation.script.walletActions[spend].amount
        }
    }
}

extension GroupWalletAction {
    fileprivate var deal: GroupDeal {
        switch kind {
        case .spend: .spend
        case .credit: .credit
        case .reversal: .spendReversal
        }
    }
}
