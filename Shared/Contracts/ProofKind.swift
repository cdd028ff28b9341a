/// The kinds of proof that a phone can hold; one that comes under another's name is read for what it is.
package enum ProofKind: String, Codable, Sendable, CaseIterable {
    /// StoreKit 2's JWS of one transaction.
    case signedTransaction
    /// The app's receipt of iOS 7 and later, base64 of PKCS#7, with everything bought in the app.
    case appReceipt
    /// The receipt of one transaction of iOS 6, base64 of a property list.
    case transactionReceipt
}
