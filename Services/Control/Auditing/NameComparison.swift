import Contracts

/// What the partitions of Receipts say of names of purchases, and where they differ.
///
/// | the row names      | a purchase that has the name | broken |
/// |--------------------|------------------------------|--------|
/// | its chain          | once, or twice in that chain | –      |
/// | an alias           | once: the row leads there    | –      |
/// | any chain, or none | held in two chains           | `paymentIsHeldOnce` |
/// | another chain      | one that is no alias's       | `paymentIsHeldOnce` |
/// | nothing            | any                          | `paymentIsHeldOnce` |
///
/// Two purchases of one chain may state one line item (`LineItemPurchase`). A purchase that is held, though it knows
/// that another chain has its name, counts as one that has it. Whoever waits for over 60 s to be told breaks
/// `isDoneInTime`.
struct NameComparison {
    private struct Key: Hashable {
        let name: String
        let environment: Environment
        let bundleId: BundleID

        init(_ row: NamesAuditPage.Row) {
            (name, environment, bundleId) = (row.name, row.environment, row.bundleId)
        }

        init(_ claim: NamesAuditPage.Claim) {
            (name, environment, bundleId) = (claim.name, claim.environment, claim.bundleId)
        }
    }

    private struct Found {
        var home: TransactionID?
        var claims: [NamesAuditPage.Claim] = []
    }

    private var found: [Key: Found] = [:]

    init(_ pages: [NamesAuditPage]) {
        for page in pages {
            for row in page.rows { found[Key(row), default: Found()].home = row.homeId }
            for claim in page.claims { found[Key(claim), default: Found()].claims.append(claim) }
        }
    }

    /// By name.
    var differences: [AuditDifference] {
        found.sorted { $0.key.name < $1.key.name }.flatMap { key, found in
            (Self.heldTwice(found) + Self.outstanding(found)).map { difference in
                var difference = difference
                difference.name = key.name
                difference.environment = key.environment
                difference.bundleId = key.bundleId
                return difference
            }
        }
    }

    private static func heldTwice(_ found: Found) -> [AuditDifference] {
        let held = found.claims.filter { $0.isHeld && ($0.place == .home || $0.place == .elsewhere) }
            .sorted { ($0.originalTransactionId, $0.purchaseId) < ($1.originalTransactionId, $1.purchaseId) }
        if Set(held.map(\.originalTransactionId)).count > 1, let first = held.first {
            let all = held.map(\.purchase).joined(separator: "; ")
            let twice = AuditDifference(.paymentIsHeldOnce, expected: "1", found: "\(held.count): \(all)")
            return [twice.of(first)]
        }
        let aliases = Set(found.claims.filter { $0.place == .alias }.map(\.originalTransactionId))
        return found.claims.filter { $0.place == .home }.compactMap { claim in
            guard let home = found.home else {
                let none = AuditDifference(.paymentIsHeldOnce, expected: "a row of the name", found: "none")
                return none.of(claim)
            }
            guard home != claim.originalTransactionId, !aliases.contains(home) else { return nil }
            let other = AuditDifference(.paymentIsHeldOnce, expected: home.rawValue, found: claim.purchase)
            return other.of(claim)
        }
    }

    private static func outstanding(_ found: Found) -> [AuditDifference] {
        found.claims.compactMap { claim in
            guard let age = claim.ageMs, age > PurchasesAuditPage.patience else { return nil }
            return AuditDifference(outstanding: "a name is claimed", ageMs: age).of(claim)
        }
    }
}

extension AuditDifference {
    fileprivate func of(_ claim: NamesAuditPage.Claim) -> AuditDifference {
        var difference = self
        difference.purchaseId = claim.purchaseId
        difference.originalTransactionId = claim.originalTransactionId
        return difference
    }
}

extension NamesAuditPage.Claim {
    fileprivate var purchase: String { "\(purchaseId) of \(originalTransactionId)" }
}
