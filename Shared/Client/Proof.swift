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
        (self.transactionID, self.content) = (transactionID, content)
    }
}

/// A purchase that a buyer began, kept before any money moves: its proof may come days later, even of a cancelled one.
public struct KeptPurchase: Codable, Equatable, Sendable {
    /// What StoreKit has said: nothing, that it has to be approved first, or that it is cancelled or has failed.
    public enum State: String, Codable, Sendable { case begun, deferred, unpaid }

    /// Goes to StoreKit as `appAccountToken`: the order's id, else a UUID of the phone's own, in lower case.
    public let token: String
    /// What is bought.
    public let productID: String
    /// Who began it.
    public let buyer: String
    /// Absent if no order could be made: the gateway makes one then.
    public internal(set) var orderID: String?
    /// Milliseconds since 1970.
    public let startedAt: Int64
    /// What StoreKit has said last.
    public internal(set) var state = State.begun

    /// One that begins: with an order's id, or else with a new UUID.
    init(_ orderID: String?, or uuid: String, of productID: String, buyer: String, startedAt: Int64) {
        (token, self.orderID, self.productID) = (orderID ?? uuid, orderID, productID)
        (self.buyer, self.startedAt) = (buyer, startedAt)
    }
}

/// One entry of a `ProofStore`.
public enum KeptRecord: Codable, Equatable, Sendable {
    /// What shows that somebody has paid.
    case proof(Proof)
    /// What somebody has begun to buy.
    case purchase(KeptPurchase)

    /// Names the record among all; a record that is kept takes the place of one with the same key.
    public var key: String {
        switch self {
        case .proof(let proof): Self.proofKey(proof.transactionID)
        case .purchase(let purchase): "purchase-\(purchase.token)"
        }
    }

    static func proofKey(_ transactionID: String) -> String { "proof-\(transactionID)" }
}
