/// What shows that somebody paid, with the buyer who did; kept until the gateway has said `"finish": true`.
public struct Proof: Codable, Equatable, Sendable {
    /// What is handed in.
    public enum Content: Codable, Equatable, Sendable {
        /// StoreKit 2's signed transaction, a compact JWS.
        case signedTransaction(String)
        /// The app's receipt in base64: everything that was bought in the app.
        case appReceipt(String)
    }

    /// StoreKit's id of the transaction; of an app receipt a word, such as `app-receipt`.
    public let transactionID: String
    /// Apple's newest word.
    public internal(set) var content: Content
    /// Nil where the proof is of many.
    public let productID: String?
    /// Who made it, whoever is logged in when it is sent; nil until somebody has logged in.
    public internal(set) var buyer: String?
    /// The order that the phone thinks it paid: a hint.
    public let orderID: String?
    /// The token of the purchase that it pays: `KeptPurchase.token`.
    let token: String?
    /// Whether the buyer asked for it by restoring purchases.
    public internal(set) var isRestore: Bool
    /// Whether it pays what the buyer bought on the screen; renewals and restores do not.
    public internal(set) var isPurchase: Bool
}
