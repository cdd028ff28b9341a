package import Contracts

extension PurchasesAuditPage {
    /// A page of these purchases.
    package init(_ purchases: [Purchase], for request: PurchasesAuditV1, next: PurchaseID?) {
        var sums = PurchaseSums()
        for purchase in purchases { sums.add(purchase) }
        self.init(count: sums.count, owners: sums.owners, outcomes: sums.outcomes, next: next)
        if request.isListed { self.purchases = purchases }
    }
}
