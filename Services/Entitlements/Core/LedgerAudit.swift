import Contracts

/// What must hold of the ledger and what is kept beside it, read in one transaction.
enum LedgerAudit {
    /// An account of a buyer's: what the buyer has of one entitlement.
    struct Account: Hashable, Sendable {
        var bundleId: BundleID
        var buyerId: BuyerID
        var environment: Environment
        var entitlement: String
    }

    /// The entries of one account.
    struct Entries: Hashable, Sendable {
        var count: Int
        /// What came to the buyer, less what went.
        var sum: Int64
        /// Those without two accounts or a positive amount.
        var lopsided: Int
        /// Those of purchases that are not known.
        var strange: Int
    }

    /// What does not hold of some buyers; `kept` are their balances, and the number of their possessions.
    static func differences(
        _ entries: [Account: Entries],
        kept: [Account: Int64]
    ) -> [LedgerAuditPage.Difference] {
        let accounts = Set(entries.keys).union(kept.keys).sorted()
        return accounts.flatMap { account in
            let own = entries[account] ?? Entries(count: 0, sum: 0, lopsided: 0, strange: 0)
            return [
                account.difference(.entryHasTwoAccounts, expected: 0, found: Int64(own.lopsided)),
                account.difference(.entryHasPurchase, expected: 0, found: Int64(own.strange)),
                account.difference(.balanceIsSum, expected: own.sum, found: kept[account] ?? 0),
            ].compactMap(\.self)
        }
    }

    /// What does not hold of a purchase whose ledger has `entries` grants.
    static func difference(
        _ grant: Grant,
        of facts: TransactionFacts,
        entries: Int
    ) -> LedgerAuditPage.Difference? {
        let expected =
            switch grant.state {
            // What came by a transfer was granted to the buyer who paid.
            case .granted, .reversed: grant.tenure.isPayers ? grant.goods.count : 0
            case .unseen, .parked, .tombstone: 0
            }
        guard expected != entries else { return nil }
        return LedgerAuditPage.Difference(
            .purchaseIsGrantedOnce,
            bundleId: facts.bundleId,
            buyerId: grant.buyerId,
            environment: facts.environment,
            purchaseId: facts.purchaseId,
            expected: Int64(expected),
            found: Int64(entries)
        )
    }
}

extension LedgerAudit.Account: Comparable {
    static func < (left: Self, right: Self) -> Bool { left.key.lexicographicallyPrecedes(right.key) }

    private var key: [String] {
        [bundleId.rawValue, buyerId.rawValue, environment.rawValue, entitlement]
    }

    fileprivate func difference(
        _ law: LedgerAuditPage.Difference.Law,
        expected: Int64,
        found: Int64
    ) -> LedgerAuditPage.Difference? {
        guard expected != found else { return nil }
        return LedgerAuditPage.Difference(
            law,
            bundleId: bundleId,
            buyerId: buyerId,
            environment: environment,
            entitlement: entitlement,
            expected: expected,
            found: found
        )
    }
}
