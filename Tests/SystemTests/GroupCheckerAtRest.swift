import Contracts
import Database

@testable import Receipts

@testable import Delivery

/// What must hold of a group at rest beyond its single transactions.
extension GroupChecker {
    /// Every paid order is the order of a held claim, and none is paid twice.
    func checkOrders() {
        let held = claims.filter { $0.value.state == "held" }
        if Set(held.keys) != Set(paid.keys) { fail("held are \(held.keys), paid are \(paid.keys)") }
        if Set(paid.values.map(\.order)).count != paid.count {
            fail("an order was paid twice", .nothingTwice)
        }
        for order in simulation.script.orders where order.product == .dear {
            if paid.values.contains(where: { $0.order == order.id }) {
                fail("the dear order was paid: \(order)")
            }
        }
    }

    /// What every phone is answered in the end follows from the stores, and what was once final is final.
    func checkFinalVerdicts() throws {
        for (id, receipt) in model.receipts.sorted(by: { $0.key < $1.key }) {
            guard let answer = simulation.finalVerdicts[id] else {
                fail("nothing is known of \(id)", .nothingLost)
                continue
            }
            // With the whole group it was forgotten whose it was, and somebody else has handed it in first.
            let isForgotten = simulation.hasRestored(.receipts)
            let isParked = answer.reason == Challenge.parkReason
            if simulation.finished.contains(id), !answer.finish, !(isForgotten && isParked) {
                fail("\(id) was finished and is \(answer) now", .noEarlyFinish)
            }
            if !receipt.contents.isEmpty {
                checkParts(answer, id, receipt)
            } else if answer.verdict != (receipt.isNoPayment ? .invalid : .parked) {
                fail("\(id) is no payment and is \(answer)")
            }
        }
    }

    private func checkParts(_ answer: ReceiptVerdictV1, _ id: String, _ receipt: GroupModel.Receipt) {
        let keys = receipt.contents
        let found = answer.transactions.map(\.transactionId)
        if Set(found) != Set(keys.map(\.transaction)) || found.count != keys.count {
            fail("\(id) holds \(keys), the phone hears of \(found)")
        }
        for line in answer.transactions {
            guard let key = keys.first(where: { $0.transaction == line.transactionId }) else { continue }
            if (line.verdict == .granted) != (line.grantedAt != nil) {
                fail("\(line) has no moment, or one too many")
            }
            let purchase = model.purchases[key] ?? key
            let verdicts = verdicts(key, id, receipt.buyer).union(forgotten(id))
                .union(contestedVerdicts(line, purchase, receipt.buyer))
            if !verdicts.contains(line.verdict) {
                fail("\(id) of \(receipt.buyer) hears \(line), not \(verdicts)")
            }
        }
        let least = answer.transactions.map(\.verdict.openness).max()
        if answer.verdict.openness != least { fail("\(answer) is not the least final of its parts") }
    }

    /// What a newcomer may hear of a purchase that stays with its holder.
    private func contestedVerdicts(
        _ line: TransactionVerdict,
        _ key: GroupKey,
        _ buyer: BuyerID
    ) -> Set<Verdict> {
        switch line.reason {
        case Challenge.parkReason: claimants[key, default: []].contains(buyer) ? [.parked] : []
        case "refunded":
            // Who has restored it since, after Apple took the refund back, has heard so before.
            (claims[key]?.buyer != buyer || claims[key]?.payer != nil)
                && model.expectations[key]?.wasRefunded == true ? [.ended] : []
        case .some, nil: []
        }
    }

    /// What a receipt may stand at in the end because a store was lost.
    private func forgotten(_ id: String) -> Set<Verdict> {
        guard let restore = simulation.restore, restore.scope == .backup else { return [] }
        // Its phone has handed the proof in anew, under another id.
        let isLatest = simulation.script.submissions.contains { $0.receipt?.rawValue == id }
        // It is granted by an order that is lost; its phone has finished.
        var verdicts: Set<Verdict> = isLatest ? [] : [.pending]
        if restore.includes(.orders) { verdicts.insert(.granted) }
        // A restore was refused by what the ledger knew before; it was asked for once more.
        if restore.includes(.entitlements) { verdicts.insert(.conflict) }
        return verdicts
    }

    /// The verdicts that a phone may hear in the end.
    private func verdicts(_ name: GroupKey, _ receipt: String, _ buyer: BuyerID) -> Set<Verdict> {
        let key = model.purchases[name] ?? name
        guard let expectation = model.expectations[key] else { return [] }
        let own = expectation.evidence.first { $0.receipt == receipt }
        guard own?.isAdmitted != false else { return [.parked] }
        // Nobody is known to have bought it.
        if own?.isForAnother == true, claims[key]?.state == "orphan" { return [.pending] }
        guard let claim = claims[key], claim.buyer == buyer else { return [.conflict] }
        // What was refused to a login before it restored the purchase stays refused.
        let refused: Set<Verdict> = claim.payer != nil && own?.isRestore != true ? [.conflict] : []
        return refused.union(verdicts(of: expectation, grants[key]))
    }

    private func verdicts(of expectation: GroupExpectation, _ grant: Record?) -> Set<Verdict> {
        switch grant?.state {
        // A period may be over, though it is granted.
        case "granted": expectation.transaction.period == nil ? [.granted] : [.granted, .ended]
        case "parked": [.parked, .ended]
        case "reversed", "tombstone": [.ended]
        default: []
        }
    }

    /// Nothing waits any more, and nothing went to the dead letters.
    func checkLeftovers() throws {
        let tables: [(ServiceName, String)] =
            [(.receipts, "claim_waiter"), (.receipts, "apple_query"), (.receipts, "name_message")]
            + ServiceName.allCases.flatMap { service in
                ["dead_letter", "delayed_event"].map { (service, $0) }
            }
        for (service, table) in tables {
            let isRestored = table == "dead_letter" && simulation.restore?.isDone == true
            // Who is parked waits for an operator, and who has handed it in for another, for its buyer.
            let isOpen = """
                 WHERE NOT EXISTS (SELECT 1 FROM claim WHERE claim.purchase_id = claim_waiter.purchase_id
                   AND (claimants LIKE '%"' || submitter_id || '"%' OR state = 'orphan' AND for_another = 1))
                """
            let condition =
                isRestored
                ? " WHERE reason <> 'unknownTransaction'" : table == "claim_waiter" ? isOpen : ""
            let count = try simulation.rows(service, "SELECT 1 FROM \(raw: table + condition)").count
            if count > 0 { fail("\(count) rows are left in \(table) of \(service)", .comesToRest) }
        }
        let quarantined = simulation.addresses.flatMap { address in
            simulation.partitions[address]?.engine?.state.senders.values.compactMap(\.machine.quarantine)
                ?? []
        }
        if !quarantined.isEmpty { fail("links are quarantined: \(quarantined)", .comesToRest) }
    }
}

extension GroupSimulation {
    func check() throws {
        try checkApple()
        isChecking = true
        try GroupChecker(self).check()
        for address in addresses {
            guard let store = partitions[address]?.store, store.isReplicated else { continue }
            counts.replays += 1
            guard let difference = try store.differenceFromLog() else { continue }
            fail("\(address) is not what its log makes: \(difference)", .logMakesTheStore)
        }
    }
}
