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
