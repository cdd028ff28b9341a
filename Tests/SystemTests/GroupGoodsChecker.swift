import Contracts
import Database
import Domain

/// Judges purchases of what is owned once: who has it for ever gets something else.
extension GroupChecker {
    /// Whether a purchase gave what comes in place of goods that are owned.
    func isCompensated(_ key: GroupKey, _ expectation: GroupExpectation) -> Bool {
        let instead = GroupProduct.instead.map(\.entitlement)
        return expectation.transaction.product == .hero
            && lines.contains { $0.purchase == key && $0.kind == "grant" && instead.contains($0.entitlement) }
    }

    /// What a purchase comes to in the end.
    func holdings(_ key: GroupKey, _ expectation: GroupExpectation) -> [String: Int64] {
        let holdings = expectation.holdings
        guard isCompensated(key, expectation), !holdings.isEmpty else { return holdings }
        return Dictionary(uniqueKeysWithValues: GroupProduct.instead.map { ($0.entitlement, $0.amount ?? 1) })
    }

    /// By the order of each ledger, a hero is for who has none, and coins are for who has one.
    func checkOwned(_ ledger: GroupLedger) {
        var owned: [GroupLedger.Account: Int64] = [:]
        for entry in ledger.entries {
            guard let key = entry.purchase, model.expectations[key]?.transaction.product == .hero else {
                continue
            }
            let account = GroupLedger.Account(
                buyer: entry.buyer,
                environment: entry.environment,
                entitlement: GroupProduct.hero.rawValue
            )
            let isHero = entry.entitlement == account.entitlement
            if entry.kind == "grant" {
                if !isHero { simulation.counts.count(GroupDeal.compensation) }
                if isHero == (owned[account, default: 0] > 0) {
                    fail("\(entry) was given to who had \(owned[account, default: 0]) of it", .rightGoods)
                }
            }
            if isHero { owned[account, default: 0] += entry.change }
        }
    }
}

extension GroupSimulation {
    /// What no owner may do: it takes the first part of a long receipt for all of it.
    func forgetParts(of partition: GroupPartition) throws {
        guard variant == .forgetsParts, partition.address.service == .receipts else { return }
        try partition.store.write { _ = try $0.execute("DELETE FROM submission_part", []) }
    }
}
