/// The kinds of proof that a phone can hold.
package enum ProofKind: String, Codable, Sendable, CaseIterable {
    /// StoreKit 2's JWS of one transaction.
    case signedTransaction
}
