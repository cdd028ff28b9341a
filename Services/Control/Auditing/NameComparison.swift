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
            return [broken(first, expected: "1", found: "\(held.count): \(all)")]
        }
        let aliases = Set(found.claims.filter { $0.place == .alias }.map(\.originalTransactionId))
        return found.claims.filter { $0.place == .home }.compactMap { claim in
            guard let home = found.home else {
                return broken(claim, expected: "a row of the name", found: "none")
            }
            guard home != claim.originalTransactionId, !aliases.contains(home) else { return nil }
            return broken(claim, expected: home.rawValue, found: claim.purchase)
        }
    }

    private static func broken(
        _ claim: NamesAuditPage.Claim,
        expected: String,
        found: String
    ) -> AuditDifference {
        var difference = AuditDifference(.paymentIsHeldOnce, expected: expected, found: found)
        difference.purchaseId = claim.purchaseId
        difference.originalTransactionId = claim.originalTransactionId
        return difference
    }

    private static func outstanding(_ found: Found) -> [AuditDifference] {
        found.claims.compactMap { claim in
            guard let age = claim.ageMs, age > PurchasesAuditPage.patience else { return nil }
            var difference = AuditDifference(
                .isDoneInTime,
                expected: "at most \(PurchasesAuditPage.patience / 1_000) s",
                found: "a name is claimed for \(age / 1_000) s"
            )
            difference.purchaseId = claim.purchaseId
            difference.originalTransactionId = claim.originalTransactionId
            difference.ageMs = age
            return difference
        }
    }
}

extension NamesAuditPage.Claim {
    fileprivate var purchase: String { "\(purchaseId) of \(originalTransactionId)" }
}
