/// Asks what one partition knows of some purchases, so that services can be compared.
///
/// - Sent by: operator
/// - Received by: orders, receipts, entitlements
package struct PurchasesAuditV1: RequestContract, Hashable {
    package typealias Reply = PurchasesAuditPage

    package static let type: EventType = "counterfoil.purchases.audit.v1"

    /// Purchases of one request by their ids.
    package static let maximumIds = 500

    /// Those after this one, in the order of their ids; nil from the first on.
    package var after: PurchaseID?
    /// Those up to this one; nil to the last.
    package var upTo: PurchaseID?
    /// Only these, whatever the range.
    package var purchaseIds: [PurchaseID]?
    /// Whether the page has each purchase, and not only their sums.
    package var isListed: Bool

    package init(after: PurchaseID? = nil, upTo: PurchaseID? = nil, isListed: Bool = false) {
        self.after = after
        self.upTo = upTo
        self.isListed = isListed
    }

    /// Asks for each of these.
    package init(only purchaseIds: [PurchaseID]) {
        self.purchaseIds = purchaseIds
        isListed = true
    }

    /// Whether it names more purchases than one request may.
    package var isTooLong: Bool { (purchaseIds?.count ?? 0) > Self.maximumIds }
}

extension RequestRefusal {
    /// A request that names too many purchases.
    package static let tooManyPurchases = RequestRefusal(
        .invalid,
        "A request names at most \(PurchasesAuditV1.maximumIds) purchases.",
        field: "purchaseIds"
    )
}
