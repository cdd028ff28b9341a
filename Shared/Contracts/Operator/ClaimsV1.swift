/// Whose some transactions are; those that the partition does not know are missing.
package struct ClaimsV1: Codable, Hashable, Sendable {
    /// How the claim of one transaction stands.
    package struct Claim: Codable, Hashable, Sendable {
        /// The id that was asked about.
        package var transactionId: TransactionID
        package var purchaseId: PurchaseID
        /// `proposed`, `held` or `orphan`.
        package var state: String
        /// Who holds it; nil until it is held.
        package var buyerId: BuyerID?
        package var orderId: OrderID?
        /// The moment of Apple's newest signature.
        package var signedDate: Timestamp
        /// Whether Apple has taken it back.
        package var isRevoked: Bool

        /// How a claim stands, of a purchase that has the transaction's id unless said; its holder may be set
        /// afterwards.
        package init(
            transactionId: TransactionID,
            purchaseId: PurchaseID? = nil,
            state: String,
            signedDate: Timestamp,
            isRevoked: Bool
        ) {
            self.transactionId = transactionId
            self.purchaseId = purchaseId ?? PurchaseID(transactionId)
            self.state = state
            self.signedDate = signedDate
            self.isRevoked = isRevoked
        }
    }

    package var claims: [Claim]

    package init(claims: [Claim]) { self.claims = claims }
}
