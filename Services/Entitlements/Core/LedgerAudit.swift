import Contracts

/// What must hold of the ledger and what is kept beside it, read in one transaction.
///
/// Tested by: `LedgerAuditTests`.
///
/// | law | of what is compared |
/// |---|---|
/// | `entryHasTwoAccounts` | each entry |
/// | `entryHasPurchase` | entries of purchases, with the grants |
/// | `balanceIsSum` | an account's entries, with the balance or the number of possessions |
/// | `balanceKeepsRule` | a balance, with what refunds took back and the catalog's rule |
/// | `purchaseIsGrantedOnce` | a grant's goods, with the entries that gave them |
///
/// A purchase has one payer, but for those of whom it has turned out that they are not: what they had been given stays
/// in their ledgers, with what took it back.
enum LedgerAudit {
    /// The entries of one account: of what a buyer has of one entitlement.
    struct Entries: Hashable, Sendable {
        var count = 0
        /// What came to the buyer, less what went.
        var sum: Int64 = 0
        /// Those without two accounts or a positive amount.
        var lopsided = 0
        /// Those of purchases that are not known.
        var strange = 0
        /// What refunds took back, less what came back.
        var takenBack: Int64 = 0
    }

    /// What does not hold of some buyers; `kept` are their balances, and the number of their possessions.
    ///
    /// No balance falls below zero but by what refunds took back, and of a `floored` entitlement none does.
    static func differences(
        _ entries: [HoldingKey: Entries],
        kept: [HoldingKey: Int64],
        floored: (String) -> Bool
    ) -> [LedgerAuditPage.Difference] {
        Set(entries.keys).union(kept.keys).flatMap { account in
            let (own, balance) = (entries[account] ?? Entries(), kept[account] ?? 0)
            let (buyer, name) = (account.buyer, account.entitlement)
            let lowest = max(floored(name) ? 0 : min(0, -own.takenBack), balance)
            return [
                buyer.difference(.entryHasTwoAccounts, entitlement: name, found: Int64(own.lopsided)),
                buyer.difference(.entryHasPurchase, entitlement: name, found: Int64(own.strange)),
                buyer.difference(.balanceIsSum, entitlement: name, expected: own.sum, found: balance),
                buyer.difference(.balanceKeepsRule, entitlement: name, expected: lowest, found: balance),
            ].compactMap(\.self)
        }
    }

    /// The grant of a purchase.
    struct Granted: Hashable, Sendable {
        var purchase: PurchasesAuditPage.Purchase
        /// How many entitlements it has given, even if a refund has taken them back.
        var goods: Int
        /// Whether it was granted to the buyer as its payer; what a restore brought was granted to another one.
        var wasPayers = true
        /// Whether a transfer has taken it to another buyer.
        var hasLeft = false
        /// Whether it has turned out that the buyer is not its payer.
        var isForfeited = false
        /// The entries that gave its goods to this buyer.
        var entries: Int
    }

    /// A purchase in the ledger.
    struct PurchaseKey: Hashable, Sendable {
        var purchaseId: PurchaseID
        var environment: Environment
        var bundleId: BundleID
    }

    /// A buyer's grant of a purchase.
    struct GrantKey: Hashable, Sendable {
        var purchase: PurchaseKey
        var buyerId: BuyerID
    }

    /// Whether these grants account for all `entries` that gave the goods of their purchases; then `differences` finds
    /// nothing.
    ///
    /// A buyer has one grant of a purchase, so the sum reaches the number of entries only where each entry belongs to
    /// one.
    static func holds(_ granted: [Granted], entries: Int) -> Bool {
        let own = granted.filter(\.wasPayers)
        guard own.allSatisfy({ $0.entries == $0.goods }), own.map(\.entries).reduce(0, +) == entries else {
            return false
        }
        let payers = Dictionary(grouping: own.filter { !$0.isForfeited }) { PurchaseKey($0.purchase) }
        return payers.values.allSatisfy { grants in
            grants.count == 1 || grants.allSatisfy { $0.entries == 0 }
        }
    }

    /// What does not hold of some purchases; `given` counts the entries that gave their goods.
    static func differences(
        _ granted: [Granted],
        given: [GrantKey: Int]
    ) -> [LedgerAuditPage.Difference] {
        let own = granted.filter(\.wasPayers)
        var (unknown, paid) = (given, [PurchaseKey: Int]())
        for grant in own where !grant.isForfeited {
            paid[PurchaseKey(grant.purchase), default: 0] += given[GrantKey(grant.purchase)] ?? 0
        }
        let known = own.flatMap { grant in
            let key = GrantKey(grant.purchase)
            let entries = unknown.removeValue(forKey: key) ?? 0
            let others = grant.isForfeited ? 0 : (paid[key.purchase] ?? 0) - entries
            return [
                key.difference(.entryHasPurchase, found: others),
                key.difference(.purchaseIsGrantedOnce, expected: grant.goods, found: entries),
            ].compactMap(\.self)
        }
        let strange = unknown.compactMap { key, entries in
            key.difference(.entryHasPurchase, found: entries)
        }
        return known + strange
    }
}

extension BuyerKey {
    /// What does not hold of something of this buyer's; nil where `found` is what is expected.
    func difference(
        _ law: LedgerAuditPage.Difference.Law,
        entitlement: String? = nil,
        purchaseId: PurchaseID? = nil,
        originalTransactionId: TransactionID? = nil,
        expected: Int64 = 0,
        found: Int64
    ) -> LedgerAuditPage.Difference? {
        guard expected != found else { return nil }
        return LedgerAuditPage.Difference(
            law,
            bundleId: bundleId,
            buyerId: buyerId,
            environment: environment,
            entitlement: entitlement,
            purchaseId: purchaseId,
            originalTransactionId: originalTransactionId,
            expected: expected,
            found: found
        )
    }
}

extension LedgerAudit.GrantKey {
    fileprivate init(_ purchase: PurchasesAuditPage.Purchase) {
        self.init(purchase: LedgerAudit.PurchaseKey(purchase), buyerId: purchase.buyerId)
    }

    fileprivate func difference(
        _ law: LedgerAuditPage.Difference.Law,
        expected: Int = 0,
        found: Int
    ) -> LedgerAuditPage.Difference? {
        BuyerKey(purchase.bundleId, buyerId, purchase.environment).difference(
            law,
            purchaseId: purchase.purchaseId,
            expected: Int64(expected),
            found: Int64(found)
        )
    }
}

extension LedgerAudit.PurchaseKey {
    init(_ purchase: PurchasesAuditPage.Purchase) {
        (purchaseId, environment, bundleId) = (purchase.purchaseId, purchase.environment, purchase.bundleId)
    }
}
