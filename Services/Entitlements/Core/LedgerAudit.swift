import Contracts

/// What must hold of the ledger and what is kept beside it, read in one transaction.
///
/// | law | of what is compared |
/// |---|---|
/// | `entryHasTwoAccounts` | each entry |
/// | `entryHasPurchase` | entries of purchases, with the grants |
/// | `balanceIsSum` | an account's entries, with the balance or the number of possessions |
/// | `balanceKeepsRule` | a balance, with what refunds took back and the catalog's rule |
/// | `purchaseIsGrantedOnce` | a grant's goods, with the entries that gave them |
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
        _ entries: [Account: Entries],
        kept: [Account: Int64],
        floored: (String) -> Bool
    ) -> [LedgerAuditPage.Difference] {
        Set(entries.keys).union(kept.keys).flatMap { account in
            let (own, balance) = (entries[account] ?? Entries(), kept[account] ?? 0)
            let lowest = floored(account.entitlement) ? 0 : min(0, -own.takenBack)
            return [
                account.difference(.entryHasTwoAccounts, expected: 0, found: Int64(own.lopsided)),
                account.difference(.entryHasPurchase, expected: 0, found: Int64(own.strange)),
                account.difference(.balanceIsSum, expected: own.sum, found: balance),
                account.difference(.balanceKeepsRule, expected: max(lowest, balance), found: balance),
            ].compactMap(\.self)
        }
    }

    /// The grant of a purchase.
    struct Granted: Hashable, Sendable {
        var purchase: PurchasesAuditPage.Purchase
        /// How many entitlements it has given, even if a refund has taken them back.
        var goods: Int
        /// Whether the buyer paid for it; what came by a transfer was granted to the one who did.
        var isPayers = true
        /// Whether a transfer has taken it to another buyer.
        var hasLeft = false
        /// The entries that gave its goods to this buyer, less those that gave them to others.
        var entries: Int
    }

    /// A purchase in the ledger.
    struct PurchaseKey: Hashable, Sendable {
        var purchaseId: PurchaseID
        var environment: Environment
        var bundleId: BundleID
    }

    /// The entries that gave the goods of a purchase.
    struct Given: Hashable, Sendable {
        var count: Int
        /// Whose they are, the first and the last by their ids; one buyer's, if all is well.
        var first: BuyerID
        var last: BuyerID

        func areAll(of buyer: BuyerID) -> Bool { first == buyer && last == buyer }
    }

    /// Whether these grants account for all `entries` that gave the goods of their purchases; then `differences` finds
    /// nothing.
    ///
    /// An entry adds one to its buyer's grant and takes one from each other grant of the purchase. A buyer has one grant
    /// of a purchase, so the sum reaches the number of entries only where every purchase with entries has one payer's
    /// grant, and all of them are that buyer's.
    static func holds(_ granted: [Granted], entries: Int) -> Bool {
        let own = granted.lazy.filter(\.isPayers)
        return own.allSatisfy { $0.entries == $0.goods } && own.map(\.entries).reduce(0, +) == entries
    }

    /// What does not hold of some purchases.
    static func differences(
        _ granted: [Granted],
        given: [PurchaseKey: Given]
    ) -> [LedgerAuditPage.Difference] {
        var unknown = given
        let known = granted.filter(\.isPayers).flatMap { grant in
            let (key, buyer) = (PurchaseKey(grant.purchase), grant.purchase.buyerId)
            let entries = unknown.removeValue(forKey: key)
            let others = entries.map { $0.areAll(of: buyer) ? 0 : $0.count } ?? 0
            return [
                key.difference(.entryHasPurchase, of: buyer, expected: 0, found: others),
                key.difference(
                    .purchaseIsGrantedOnce,
                    of: buyer,
                    expected: grant.goods,
                    found: entries?.count ?? 0
                ),
            ].compactMap(\.self)
        }
        let strange = unknown.compactMap { key, entries in
            key.difference(.entryHasPurchase, of: entries.first, expected: 0, found: entries.count)
        }
        return known + strange
    }
}

extension LedgerAudit.Account {
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

extension LedgerAudit.PurchaseKey {
    init(_ purchase: PurchasesAuditPage.Purchase) {
        self.init(
            purchaseId: purchase.purchaseId,
            environment: purchase.environment,
            bundleId: purchase.bundleId
        )
    }

    fileprivate func difference(
        _ law: LedgerAuditPage.Difference.Law,
        of buyer: BuyerID,
        expected: Int,
        found: Int
    ) -> LedgerAuditPage.Difference? {
        guard expected != found else { return nil }
        return LedgerAuditPage.Difference(
            law,
            bundleId: bundleId,
            buyerId: buyer,
            environment: environment,
            purchaseId: purchaseId,
            expected: Int64(expected),
            found: Int64(found)
        )
    }
}
