/// A page of an audit: how much was proven, and what does not hold.
package struct LedgerAuditPage: Codable, Hashable, Sendable {
    /// Something that must hold, and does not.
    package struct Difference: Codable, Hashable, Sendable {
        /// The law that is broken.
        package enum Law: String, Codable, Sendable, CaseIterable {
            /// An entry moves a positive amount between its buyer's account and another one.
            case entryHasTwoAccounts
            /// An entry of a purchase belongs to a purchase that this partition knows.
            case entryHasPurchase
            /// What is kept of a buyer is the sum of the entries.
            case balanceIsSum
            /// A balance below zero follows from a refund, and its entitlement may fall below zero.
            case balanceKeepsRule
            /// What a buyer possesses comes from a purchase that is granted to this buyer.
            case possessionHasGrant
            /// The access by a subscription follows from its facts, and each fact from a grant.
            case accessHasFacts
            /// A granted purchase has one grant of each of its goods, any other has none.
            case purchaseIsGrantedOnce
        }

        package var law: Law
        package var bundleId: BundleID
        package var buyerId: BuyerID
        package var environment: Environment
        package var entitlement: String?
        package var purchaseId: PurchaseID?
        /// The subscription.
        package var originalTransactionId: TransactionID?
        /// What the law asks for, and what was found.
        package var expected: Int64
        package var found: Int64

        package init(
            _ law: Law,
            bundleId: BundleID,
            buyerId: BuyerID,
            environment: Environment,
            entitlement: String? = nil,
            purchaseId: PurchaseID? = nil,
            originalTransactionId: TransactionID? = nil,
            expected: Int64,
            found: Int64
        ) {
            self.law = law
            self.bundleId = bundleId
            self.buyerId = buyerId
            self.environment = environment
            self.entitlement = entitlement
            self.purchaseId = purchaseId
            self.originalTransactionId = originalTransactionId
            self.expected = expected
            self.found = found
        }
    }

    /// Entries of the page's buyers.
    package var count: Int
    package var differences: [Difference]
    /// The next page's `after`; absent on the last page.
    package var next: [String]? = nil
}
