/// Kinds of proof on a phone; one submitted under a wrong kind is still read as what it is.
package enum ProofKind: String, Codable, Sendable, CaseIterable {
    /// StoreKit 2's JWS of one transaction.
    case signedTransaction
    /// The app's receipt of iOS 7 and later: base64 of PKCS#7, with all purchases in the app.
    case appReceipt
    /// An iOS 6 receipt of one transaction: base64 of a property list.
    case transactionReceipt
    /// A transaction's id alone, which proves nothing until Apple is asked.
    case transactionId
}
