import Contracts
import Delivery
import Domain

/// What the three services say of the same range of purchases.
struct PurchaseSides: Sendable {
    static let services: [ServiceName] = [.receipts, .orders, .entitlements]

    private(set) var claims = PurchaseSide()
    private(set) var orders = PurchaseSide()
    private(set) var grants = PurchaseSide()

    mutating func add(_ page: PurchasesAuditPage, of address: PartitionAddress) {
        switch address.service {
        case .receipts: claims.add(page, of: address)
        case .orders: orders.add(page, of: address)
        case .entitlements: grants.add(page, of: address)
        case .notifications: break
        }
    }

    /// Whether the sums show that they say the same.
    var agree: Bool {
        let (claims, orders, grants) = (claims.sums, orders.sums, grants.sums)
        return orders == grants && claims.count == orders.count && claims.owners == orders.owners
    }

    /// What does not hold of single purchases; where they were listed, also between the services.
    var differences: [AuditDifference] {
        let listed = PurchaseComparison(
            claims: claims.purchases,
            orders: orders.purchases,
            grants: grants.purchases
        )
        return claims.differences + orders.differences + grants.differences + listed.differences
    }
}
