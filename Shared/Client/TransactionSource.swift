/// Where transactions come from; one that is not finished comes again, by `unfinished` at the latest.
public protocol TransactionSource: Sendable {
    /// Transactions that come by themselves: renewals, Ask to Buy, purchases on other devices; it is called once,
    /// at launch, before anything else, and goes on until its task is cancelled.
    func observe(_ seen: @escaping @Sendable (SeenTransaction) -> Void) async
    /// What is paid and not finished yet; a purchase waits 5 s for it, and without end if an earlier life began it.
    func unfinished() async -> [SeenTransaction]
    /// Asks for a payment; the transaction, not finished, once StoreKit has decided. What it throws is not paid yet.
    func purchase(productID: String, appAccountToken: String) async throws(PurchaseOutcome) -> SeenTransaction
    /// Everything that the buyer owns, freshly signed; each has `isRestore`.
    func restored() async throws(PurchaseOutcome) -> [SeenTransaction]
    /// Tells StoreKit that the goods are delivered; one that is not known, or finished, is no error.
    func finish(transactionID: String) async
    /// Asks Apple for the app's receipt anew; nil where there is none, or the source has no receipts.
    func refreshedReceipt() async -> SeenTransaction?
    /// Whether this phone may pay at all.
    func canMakePayments() async -> Bool
    /// The store's names and prices; products that it does not know are left out. Nil where it could not be asked.
    func prices(of productIDs: [String]) async -> [StorePrice]?
}

/// What the store says about a product.
public struct StorePrice: Equatable, Sendable {
    /// Apple's id.
    public let productID: String
    /// In the buyer's language.
    public let displayName: String
    /// With the currency, as the store writes it for this buyer.
    public let displayPrice: String

    /// For a source of your own.
    public init(productID: String, displayName: String, displayPrice: String) {
        (self.productID, self.displayName, self.displayPrice) = (productID, displayName, displayPrice)
    }
}
