import Contracts
import Domain

/// What a service says of a range of purchases, all partitions together.
struct PurchaseSide: Sendable {
    private(set) var sums = PurchaseSums()
    /// Each of them, where they were listed.
    private(set) var purchases: [PurchasesAuditPage.Purchase] = []
    private(set) var orphans = 0
    private(set) var differences: [AuditDifference] = []

    mutating func add(_ page: PurchasesAuditPage, of address: PartitionAddress) {
        sums.add(page)
        purchases += page.purchases ?? []
        orphans += page.orphans
        differences += page.differences.map(AuditDifference.init)
        differences += page.outstanding.map { outstanding in
            let what = outstanding.orderId == nil ? "a claim is proposed" : "an order is paid"
            var difference = AuditDifference(outstanding: what, at: address, ageMs: outstanding.ageMs)
            difference.purchaseId = outstanding.purchaseId
            difference.environment = outstanding.environment
            difference.bundleId = outstanding.bundleId
            difference.orderId = outstanding.orderId
            return difference
        }
    }
}
