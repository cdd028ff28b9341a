import Contracts

/// What three services say of the same purchases, and where they differ.
///
/// | claim | order | grant | broken |
/// |---|---|---|---|
/// | two | any | any | `purchaseIsClaimedOnce` |
/// | any | two | any | `purchasePaysOneOrder` |
/// | any | any | two | `purchaseIsGrantedOnce` |
/// | none | paid | any | `orderHasClaim` |
/// | held | none, or another's | any | `claimHasOrder` |
/// | any | decided | none | `orderHasGrant` |
/// | any | none, or another's | some | `grantHasOrder` |
/// | any | decided otherwise | some | `orderSaysWhatGrantSays` |
///
/// *another's*: of another buyer, or with another id. A paid order that has not heard of its grant yet is not compared
/// with it; `isDoneInTime` bounds how long that may last.
struct PurchaseComparison {
    typealias Purchase = PurchasesAuditPage.Purchase

    /// A purchase, whoever has it.
    private struct Key: Hashable {
        let purchaseId: PurchaseID
        let environment: Environment
        let bundleId: BundleID

        init(_ purchase: Purchase) {
            (purchaseId, environment, bundleId) =
                (purchase.purchaseId, purchase.environment, purchase.bundleId)
        }
    }

    /// What the services have of one purchase.
    private struct Found {
        var claims: [Purchase] = []
        var orders: [Purchase] = []
        var grants: [Purchase] = []
    }

    private var found: [Key: Found] = [:]

    init(claims: [Purchase], orders: [Purchase], grants: [Purchase]) {
        for claim in claims { found[Key(claim), default: Found()].claims.append(claim) }
        for order in orders { found[Key(order), default: Found()].orders.append(order) }
        for grant in grants { found[Key(grant), default: Found()].grants.append(grant) }
    }

    /// By purchase.
    var differences: [AuditDifference] {
        found.sorted { $0.key.purchaseId < $1.key.purchaseId }.flatMap { key, found in
            (Self.repeated(found) + [Self.claim(found), Self.grant(found)]).compactMap(\.self).map {
                var difference = $0
                difference.purchaseId = key.purchaseId
                difference.environment = key.environment
                difference.bundleId = key.bundleId
                return difference
            }
        }
    }

    private static func repeated(_ found: Found) -> [AuditDifference?] {
        let sides: [(AuditDifference.Law, [Purchase])] = [
            (.purchaseIsClaimedOnce, found.claims), (.purchasePaysOneOrder, found.orders),
            (.purchaseIsGrantedOnce, found.grants),
        ]
        return sides.map { law, purchases in
            guard purchases.count > 1 else { return nil }
            let holders = purchases.map(\.holder).joined(separator: "; ")
            return AuditDifference(law, expected: "1", found: "\(purchases.count): \(holders)")
        }
    }

    private static func claim(_ found: Found) -> AuditDifference? {
        guard let claim = found.claims.first else {
            return found.orders.first.map {
                AuditDifference(.orderHasClaim, expected: $0.holder, found: "none").of($0)
            }
        }
        guard !found.orders.contains(where: { $0.isHeldAs(claim) }) else { return nil }
        let order = found.orders.first?.holder ?? "none"
        return AuditDifference(.claimHasOrder, expected: claim.holder, found: order).of(claim)
    }

    private static func grant(_ found: Found) -> AuditDifference? {
        guard let grant = found.grants.first else {
            return found.orders.first { $0.outcome != nil }.map {
                AuditDifference(.orderHasGrant, expected: $0.outcome?.rawValue ?? "", found: "none").of($0)
            }
        }
        guard let order = found.orders.first(where: { $0.isHeldAs(grant) }) else {
            let order = found.orders.first?.holder ?? "none"
            return AuditDifference(.grantHasOrder, expected: grant.holder, found: order).of(grant)
        }
        guard let outcome = order.outcome, let owed = grant.outcome, outcome != owed else { return nil }
        return AuditDifference(.orderSaysWhatGrantSays, expected: owed.rawValue, found: outcome.rawValue)
            .of(order)
    }
}

extension PurchasesAuditPage.Purchase {
    fileprivate var holder: String { "\(buyerId) by \(orderId)" }

    fileprivate func isHeldAs(_ other: Self) -> Bool { buyerId == other.buyerId && orderId == other.orderId }
}

extension AuditDifference {
    fileprivate func of(_ purchase: PurchasesAuditPage.Purchase) -> AuditDifference {
        var difference = self
        (difference.buyerId, difference.orderId) = (purchase.buyerId, purchase.orderId)
        return difference
    }
}
