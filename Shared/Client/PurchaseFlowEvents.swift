extension PurchaseFlow {
    /// What happens to the app.
    package enum Event: Equatable, Sendable {
        /// The first event: what the store has kept, and who is logged in.
        case launched([KeptRecord], login: String?)
        case login(String?)
        case foreground
        case networkBack
        /// A transaction that StoreKit shows: new, unfinished or restored.
        case seen(SeenTransaction)
        /// What came of an effect on a proof.
        case proof(transactionID: String, ProofDelivery.Event)
        case buy(productID: String)
        /// The answer to `order`; `id` and the time in ms since 1970 are those of the purchase that is kept.
        case ordered(productID: String, OrderAnswer, id: String, now: Int64)
        case purchaseKept(productID: String, isDurable: Bool)
        case purchased(productID: String, PurchaseResult)
        /// The gateway's text for the buyer.
        case reported(productID: String, message: String)
        /// The buyer has read what the screen says.
        case acknowledged(productID: String)
        case restore
    }

    /// What is to be done, in this order.
    package enum Effect: Equatable, Sendable {
        /// What it asks for is answered with the same turn.
        case proof(transactionID: String, turn: Int, ProofDelivery.Effect)
        case purchase(productID: String, Checkout.Effect)
        /// Ask StoreKit for what the buyer owns, and say `seen` of each with `isRestore`.
        case restore
        case show(productID: String, PurchaseScreen)
    }
}

/// What the gateway says to a request for an order.
public enum OrderAnswer: Equatable, Sendable {
    /// The id, a UUID in lower case, goes to StoreKit as `appAccountToken`.
    case issued(orderID: String)
    /// The buyer has an open order of this product, in this state.
    case open(orderID: String, state: String)
    /// The gateway forbids to pay; a stable word such as `limitReached`.
    case refused(code: String)
    /// The gateway could not be asked, or is busy.
    case unreachable
}

/// What StoreKit says to a purchase.
public enum PurchaseResult: Equatable, Sendable {
    case transaction(SeenTransaction)
    /// Somebody else has to approve it first (Ask to Buy).
    case pending
    case cancelled
    case failed(domain: String, code: String)
}
