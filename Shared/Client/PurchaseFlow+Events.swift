extension PurchaseFlow {
    /// What happens to the app.
    package enum Event: Equatable, Sendable {
        /// The first event: what the store has kept, and who is logged in.
        case launched([KeptRecord], login: String?)
        case login(String?)
        case foreground, networkBack
        /// A transaction that StoreKit shows: new or restored.
        case seen(SeenTransaction)
        /// What StoreKit has not finished yet; nil because it takes too long: then it comes later.
        case listed([SeenTransaction]?)
        /// What came of an effect on a proof.
        case proof(transactionID: String, ProofDelivery.Event)
        case buy(productID: String)
        /// The answer to `order`; the time is in ms since 1970, and `token` a new UUID in lower case.
        case ordered(productID: String, OrderAnswer, token: String, now: Int64)
        /// `token` is that of the purchase, as below.
        case purchaseKept(productID: String, token: String, isDurable: Bool)
        case purchased(productID: String, token: String, Result<SeenTransaction, PurchaseOutcome>)
        /// The gateway's text for the buyer.
        case reported(productID: String, message: String)
        /// The buyer has read what the screen says.
        case acknowledged(productID: String)
    }

    /// What is to be done, in this order.
    package enum Effect: Equatable, Sendable {
        /// What it asks for is answered with the same turn.
        case proof(transactionID: String, turn: Int, ProofDelivery.Effect)
        case purchase(productID: String, Checkout.Effect)
        /// All screens that are not `ready`, by product.
        case show([String: PurchaseScreen])
    }
}
