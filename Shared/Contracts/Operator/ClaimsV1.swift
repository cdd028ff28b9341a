/// Whose some transactions are; those that the partition does not know are missing.
package struct ClaimsV1: Codable, Hashable, Sendable {
    /// How the claim of one transaction stands.
    package struct Claim: Codable, Hashable, Sendable {
        package var transactionId: TransactionID
        /// `proposed`, `held` or `orphan`.
        package var state: String
        /// Who holds it; nil until it is held.
        package var buyerId: BuyerID?
        package var orderId: OrderID?
        /// The moment of Apple's newest signature.
        package var signedDate: Timestamp
        /// Whether Apple has taken it back.
        package var isRevoked: Bool

        /// How a claim stands; its holder may be set afterwards.
        package init(transactionId: TransactionID, state: String, signedDate: Timestamp, isRevoked: Bool) {
            self.transactionId = transactionId
            self.state = state
            self.signedDate = signedDate
            self.isRevoked = isRevoked
        }
    }

    package var claims: [Claim]

    /// The answer to a question about claims.
    package init(claims: [Claim]) { self.claims = claims }
}
