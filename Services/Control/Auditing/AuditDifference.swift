import Contracts
import Delivery

/// Something that must hold, and does not.
struct AuditDifference: Encodable, Hashable, Sendable {
    /// The laws that compare services; the others are those of `LedgerAuditPage`.
    enum Law: String, Sendable, CaseIterable {
        /// One partition of Receipts has the claim of a purchase.
        case purchaseIsClaimedOnce
        /// A purchase pays one order.
        case purchasePaysOneOrder
        /// One partition of Entitlements has the grant of a purchase.
        case purchaseIsGrantedOnce
        /// The claim of a paid order's purchase is held.
        case orderHasClaim
        /// A held claim's order is paid by that purchase, and its holder's.
        case claimHasOrder
        /// The purchase of a granted, parked or refunded order has a grant.
        case orderHasGrant
        /// A grant's order is paid by that purchase, and its holder's.
        case grantHasOrder
        /// An order says of its goods what the ledger says.
        case orderSaysWhatGrantSays
        /// A name of purchases belongs to one chain, whose purchase alone is held.
        case paymentIsHeldOnce
        /// Nothing is outstanding for over 60 s.
        case isDoneInTime
    }

    let law: String
    /// Where it was found, of what no purchase names.
    var at: PartitionAddress?
    var bundleId: BundleID?
    var environment: Environment?
    var buyerId: BuyerID?
    var entitlement: String?
    var purchaseId: PurchaseID?
    var originalTransactionId: TransactionID?
    var orderId: OrderID?
    /// A name of purchases, with its kind.
    var name: String?
    /// A delayed event.
    var event: String?
    /// What the law asks for, and what was found.
    var expected = ""
    var found = ""
    /// How long it is outstanding.
    var ageMs: Int64?

    init(_ law: Law, expected: String, found: String) {
        self.law = law.rawValue
        self.expected = expected
        self.found = found
    }

    init(_ ledger: LedgerAuditPage.Difference) {
        law = ledger.law.rawValue
        bundleId = ledger.bundleId
        environment = ledger.environment
        buyerId = ledger.buyerId
        entitlement = ledger.entitlement
        purchaseId = ledger.purchaseId
        originalTransactionId = ledger.originalTransactionId
        expected = String(ledger.expected)
        found = String(ledger.found)
    }

    /// What is outstanding for so long.
    init(outstanding what: String, at address: PartitionAddress? = nil, ageMs: Int64) {
        let limit = "at most \(PurchasesAuditPage.patience / 1_000) s"
        self.init(.isDoneInTime, expected: limit, found: "\(what) for \(ageMs / 1_000) s")
        at = address
        self.ageMs = ageMs
    }

    /// The law and what it is broken for: the same difference may show other values when it is looked at again.
    var identity: AuditDifference {
        var identity = self
        (identity.expected, identity.found, identity.ageMs) = ("", "", nil)
        return identity
    }

    /// What it is about, in one line.
    var about: String {
        let names = [
            at?.description, event, name, purchaseId?.rawValue, originalTransactionId?.rawValue,
            orderId?.rawValue, entitlement,
        ]
        return names.compactMap(\.self).joined(separator: " ")
    }
}
