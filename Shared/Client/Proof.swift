/// What shows that somebody paid, with the buyer who did.
///
/// It is kept from the moment it is seen until the gateway has said `"finish": true`.
public struct Proof: Codable, Equatable, Sendable {
    /// What is handed in.
    public enum Content: Codable, Equatable, Sendable {
        /// StoreKit 2's signed transaction, a compact JWS.
        case signedTransaction(String)
        /// The app's receipt in base64: everything that was bought in the app.
        case appReceipt(String)
    }

    /// StoreKit's id of the transaction; of an app receipt `AppReceipt.transactionID`.
    public let transactionID: String
    /// Apple's newest word.
    public internal(set) var content: Content
    /// Nil where the proof is of many.
    public let productID: String?
    /// Who made it, whoever is logged in when it is sent; nil until somebody has logged in.
    public internal(set) var buyer: String?
    /// The order that the phone thinks it paid: a hint.
    public let orderID: String?
    /// Whether the buyer asked for it by restoring purchases.
    public internal(set) var isRestore: Bool
    /// Whether it pays what the buyer bought on the screen; renewals and restores do not.
    public internal(set) var isPurchase: Bool
}

/// A transaction as the store of the phone shows it.
public struct SeenTransaction: Equatable, Sendable {
    /// StoreKit's.
    public var transactionID: String
    /// What is handed in.
    public var content: Proof.Content
    /// Nil where it is of many.
    public var productID: String?
    /// The token that Apple signed into the transaction, a UUID in lower case: the id of its order, if it had one.
    public var appAccountToken: String?
    /// Whether it comes of `restored()`.
    public var isRestore = false

    /// For a source of your own.
    public init(transactionID: String, content: Proof.Content) {
        self.transactionID = transactionID
        self.content = content
    }
}

/// A purchase that a buyer began, kept before any money moves: the proof may come days later.
public struct KeptPurchase: Codable, Equatable, Sendable {
    /// Names it among what is kept.
    public let id: String
    /// What is bought.
    public let productID: String
    /// Who began it.
    public let buyer: String
    /// A UUID in lower case; absent if no order could be made: the gateway makes one then.
    public let orderID: String?
    /// Milliseconds since 1970.
    public let startedAt: Int64
}

/// One entry of a `ProofStore`.
public enum KeptRecord: Codable, Equatable, Sendable {
    case proof(Proof)
    case purchase(KeptPurchase)

    /// Names the record among all; a record that is kept takes the place of one with the same key.
    public var key: String {
        switch self {
        case .proof(let proof): Self.proofKey(proof.transactionID)
        case .purchase(let purchase): "purchase-\(purchase.id)"
        }
    }

    static func proofKey(_ transactionID: String) -> String { "proof-\(transactionID)" }
}
