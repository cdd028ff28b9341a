import Contracts
import Database

/// Judges what restores by another login have moved.
///
/// A purchase whose product says so is in the end the other login's, once, whoever of the two paid; of a subscription
/// the period that was restored and all later ones are. Only a refund of everything may come first: then nothing moves.
/// The buyer who paid keeps the amounts, and nothing else.
extension GroupChecker {
    /// Who may hold the claim of a purchase in the end; empty when nobody can.
    func holders(_ key: GroupKey, _ expectation: GroupExpectation) -> Set<BuyerID> {
        let payers = payers(key, expectation)
        guard !expectation.possibleRestorers.isEmpty, let payer = paid[key]?.payer, payers.contains(payer)
        else { return payers }
        let others = expectation.restorers.subtracting([payer])
        guard others.isEmpty || expectation.wasRefunded || expectation.isReturned else { return others }
        return expectation.possibleRestorers.union([payer])
    }

    /// Everywhere the same has paid, has it now, and had it before.
    func checkTransfer(_ key: GroupKey, _ expectation: GroupExpectation, _ claim: Record) {
        let payer = paid[key]?.payer
        let isMoved = payer != claim.buyer
        if isMoved, claim.payer != payer {
            fail("\(key) was paid by \(String(describing: payer)), its claim says \(claim)", .rightBuyer)
        }
        let before = left[key, default: []]
        let isReturned = expectation.isReturned && !isMoved && !before.isEmpty
        let former = isReturned ? expectation.possibleRestorers.subtracting([payer].compactMap(\.self)) : []
        if before.map(\.buyer) != (isMoved ? [payer] : Array(former))
            || before.contains(where: { $0.order != claim.order })
        {
            fail(
                "\(key) is for \(claim), paid by \(String(describing: payer)); it has left \(before)",
                .rightBuyer
            )
        }
        if isReturned { simulation.counts.count(GroupDeal.returned) }
        guard isMoved else { return }
        simulation.counts.count(expectation.transaction.period == nil ? GroupDeal.transfer : .chainTransfer)
    }

    /// What each of the two has by a purchase that has moved: the possessions are its holder's, the amounts its
    /// payer's.
    func expected(
        _ goods: [String: Int64],
        of buyer: BuyerID,
        holder: BuyerID,
        payer: BuyerID
    ) -> [String: Int64] {
        goods.filter { Self.possessed.contains($0.key) ? buyer == holder : buyer == payer }
    }

    /// What has left one ledger has come to another.
    func checkTransit(_ ledger: GroupLedger) {
        var transit: [String: Int64] = [:]
        for entry in ledger.entries where entry.kind == "transferIn" || entry.kind == "transferOut" {
            transit["\(entry.purchase.map { "\($0)" } ?? "") \(entry.entitlement)", default: 0] +=
                entry.change
        }
        // What was refunded on its way has come nowhere.
        // So has what a restored ledger hears of as refunded before it hears that it has left, and what was on its way
        // back to a buyer who has had it.
        let isRestored = simulation.hasRestored(.entitlements)
        let refunded = grants.filter { key, grant in
            let hasBeenHere = isRestored || model.expectations[key]?.isReturned == true
            return grant.state == "tombstone" || hasBeenHere && grant.state == "reversed"
        }
        .map { "\($0.key)" }
        let open = transit.filter { line in
            line.value != 0 && !refunded.contains { line.key.hasPrefix($0 + " ") }
        }
        if !open.isEmpty { fail("\(open) is between two ledgers", .ledgerBalances) }
    }

    /// Whom the token of a purchase names, or of a period of its chain, that Apple had disowned for a while.
    func rightful(_ key: GroupKey) -> BuyerID? {
        guard let transaction = model.expectations[key]?.transaction else { return nil }
        let disowned = model.expectations.values.filter {
            $0.isDisowned && $0.transaction.original == transaction.original
        }
        return disowned.lazy.compactMap { $0.namedBuyer(simulation.script.orders) }.first
    }

    /// To whom better evidence may still have moved it: what Apple had disowned may have been stated since, an order
    /// may be from before the payment, and a renewal goes with the period before it.
    func newcomers(_ key: GroupKey) -> Set<BuyerID> {
        guard let transaction = model.expectations[key]?.transaction else { return [] }
        var newcomers: Set<BuyerID> = []
        if let rightful = rightful(key) { newcomers.insert(rightful) }
        if let buyer = transaction.placedBy { newcomers.insert(buyer) }
        if let period = transaction.period, period.isRenewal {
            let before = simulation.script.periods(of: transaction.original)
                .last { ($0.period?.begins ?? 0) < period.begins }
            if let holder = before.flatMap({ claims[$0.key]?.buyer }) { newcomers.insert(holder) }
        }
        return newcomers
    }

    /// Who may have a purchase after an older copy of a store came back: who had it, or who restored it of its payer.
    func heirs(of key: GroupKey, _ known: GroupRestore.Owner) -> Set<BuyerID> {
        let heirs = newcomers(key).union([known.holder])
        let isReturned = model.expectations[key]?.isReturned == true
        guard known.holder == known.payer || isReturned,
            let transaction = model.expectations[key]?.transaction
        else { return heirs }
        let chain = model.expectations.values.filter { $0.transaction.original == transaction.original }
        return chain.reduce(into: heirs) { $0.formUnion($1.possibleRestorers) }
    }
}

extension GroupExpectation {
    /// Whether Apple has ever said that all of it was paid back.
    var wasRefunded: Bool { facts.contains { $0.refunded == 100_000 } }
}

extension GroupSimulation {
    private static let movable = Set(GroupProduct.allCases.filter(\.isTransferable).map(\.rawValue))

    /// Nothing is ever with two buyers at once; of a group with a restored store, nothing that a restore moves.
    ///
    /// A restored ledger may let a former holder have it until it is taken back again. What two chains state as one
    /// payment is a purchase in each of them here: whether both have it is judged at rest.
    func checkPossessedOnce() throws {
        guard !hasRestored(.entitlements) else { return }
        let sql: SQL = "SELECT environment, bundle_id, purchase_id, buyer_id, entitlement FROM possession"
        var owners: [[String]: BuyerID] = [:]
        for row in try rows(.entitlements, sql) {
            let entitlement: String = try row["entitlement"]
            guard restore == nil || Self.movable.contains(entitlement) else { continue }
            let key: [String] = [
                try row["environment"], try row["bundle_id"], try row["purchase_id"],
            ]
            let buyer: BuyerID = try row["buyer_id"]
            if let other = owners.updateValue(buyer, forKey: key), other != buyer {
                fail("\(key) is with \(other) and with \(buyer)", .rightBuyer)
            }
        }
    }
}
