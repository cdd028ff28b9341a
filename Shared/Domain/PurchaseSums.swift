package import Contracts
import Crypto

/// Sums over many purchases, by which an audit compares two services without listing the purchases.
///
/// If two services know the same purchases and say the same of each, their sums are equal. If they do not, their sums
/// differ, but for a negligible chance.
///
/// A hash over a purchase's key, its holder and its order yields two numbers. The first is added to `owners`. The
/// second is multiplied by a factor that stands for what the ledger has made of the purchase, and added to `outcomes`.
/// Purchases may be added in any order, and the sums of partitions may be added up. A purchase that is added twice
/// counts twice.
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
