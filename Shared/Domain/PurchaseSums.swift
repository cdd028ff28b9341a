package import Contracts
import Crypto

/// Sums over purchases that are equal, in two services, where they say the same of the same purchases.
///
/// Each purchase counts with two numbers from a hash over its key, its holder and its order: one is added to `owners`,
/// one to `outcomes`, times what the ledger has made of it. Sums do not depend on the order, or on who has which purchase,
/// so that those of all partitions can be added up; and a purchase that is there twice counts twice.
package struct PurchaseSums: Hashable, Sendable {
    package private(set) var count = 0
    package private(set) var owners: Int64 = 0
    package private(set) var outcomes: Int64 = 0

    /// Those of no purchase.
    package init() {}

    /// Adds a purchase.
    package mutating func add(_ purchase: PurchasesAuditPage.Purchase) {
        let (whose, what) = purchase.numbers
        count += 1
        owners &+= whose
        outcomes &+= what &* purchase.outcome.factor
    }

    /// Adds those of a page.
    package mutating func add(_ page: PurchasesAuditPage) {
        count += page.count
        owners &+= page.owners
        outcomes &+= page.outcomes
    }
}

extension PurchasesAuditPage {
    /// A page of these purchases.
    package init(_ purchases: [Purchase], for request: PurchasesAuditV1, next: PurchaseID?) {
        var sums = PurchaseSums()
        for purchase in purchases { sums.add(purchase) }
        self.init(
            count: sums.count,
            owners: sums.owners,
            outcomes: sums.outcomes,
            purchases: request.isListed ? purchases : nil,
            next: next
        )
    }
}

extension PurchasesAuditPage.Purchase {
    /// Two numbers from a fixed hash.
    fileprivate var numbers: (Int64, Int64) {
        let app = "\(bundleId.rawValue)\n\(environment.rawValue)"
        var text = "\(app)\n\(purchaseId.rawValue)\n\(buyerId.rawValue)\n\(orderId.rawValue)"
        var hash = SHA256()
        text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return hash.finalize().withUnsafeBytes {
            ($0.loadUnaligned(as: Int64.self), $0.loadUnaligned(fromByteOffset: 8, as: Int64.self))
        }
    }
}

extension GrantOutcome? {
    fileprivate var factor: Int64 {
        switch self {
        case nil: 0
        case .granted: 1
        case .reversed: 2
        case .parked: 3
        }
    }
}
