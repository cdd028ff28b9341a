/// Owners of some transactions; unknown transactions are missing.
package struct ClaimsV1: Codable, Hashable, Sendable {
    /// The claim of one transaction.
    package struct Claim: Codable, Hashable, Sendable {
        /// The requested id.
        package var transactionId: TransactionID
        package var purchaseId: PurchaseID
        /// `waiting`, `proposed`, `held` or `orphan`.
        package var state: String
        /// The holder; nil until held.
        package var buyerId: BuyerID?
        package var orderId: OrderID?
        /// Time of Apple's newest signature.
        package var signedDate: Timestamp
        /// Whether Apple has revoked it.
        package var isRevoked: Bool
        /// Whether Apple has stated whose it is, which an app receipt does not say.
        package var isWhole: Bool

        /// Without a purchase id, the transaction id is the purchase.
        package init(
            transactionId: TransactionID,
            purchaseId: PurchaseID? = nil,
            state: String,
            signedDate: Timestamp,
            isRevoked: Bool,
            isWhole: Bool = true
        ) {
            self.transactionId = transactionId
            self.purchaseId = purchaseId ?? PurchaseID(transactionId)
            self.state = state
            self.signedDate = signedDate
            self.isRevoked = isRevoked
            self.isWhole = isWhole
        }
    }

    package var claims: [Claim]
}
