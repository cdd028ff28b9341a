/// What Orders and Entitlements need to know of a transaction: the decoded facts that Apple signed, and which purchase
/// it is.
///
/// Names and meanings are those of StoreKit's `JWSTransactionDecodedPayload`.
package struct TransactionFacts: Codable, Hashable, Sendable {
    package var environment: Environment
    package var bundleId: BundleID
    package var transactionId: TransactionID
    package var originalTransactionId: TransactionID
    /// What was paid for once; several transactions may be one purchase, and the newest of them speaks.
    package var purchaseId: PurchaseID
    package var productId: ProductID
    package var quantity: Int
    /// Apple's `type`, such as `Consumable`; the raw text is kept.
    package var type: String
    package var purchaseDate: Timestamp
    /// The moment of Apple's signature; of two statements about one transaction the later one holds.
    package var signedDate: Timestamp
    package var expiresDate: Timestamp?
    package var revocationDate: Timestamp?
    package var revocationReason: Int?
    package var revocationType: String?
    /// Share of the refund in milliunits, 0 to 100,000; absent means all of it.
    package var revocationPercentage: Int?
    package var isUpgraded: Bool?
    package var inAppOwnershipType: String?
    /// As the app gave it to StoreKit: an order's id, or a UUID of the app's own.
    package var appAccountToken: String?

    /// The facts of one transaction, a purchase of its own unless said; optional ones may be set afterwards.
    package init(
        environment: Environment,
        bundleId: BundleID,
        transactionId: TransactionID,
        originalTransactionId: TransactionID,
        purchaseId: PurchaseID? = nil,
        productId: ProductID,
        quantity: Int,
        type: String,
        purchaseDate: Timestamp,
        signedDate: Timestamp
    ) {
        self.environment = environment
        self.bundleId = bundleId
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.purchaseId = purchaseId ?? PurchaseID(transactionId)
        self.productId = productId
        self.quantity = quantity
        self.type = type
        self.purchaseDate = purchaseDate
        self.signedDate = signedDate
    }
}

extension TransactionFacts {
    /// The facts under the transaction id with which a submission names the purchase.
    package func named(by submission: Submission) -> TransactionFacts {
        var facts = self
        facts.transactionId = submission.transactionId ?? TransactionID(unchecked: purchaseId.rawValue)
        return facts
    }
}
