/// An order as everyone outside Orders sees it.
package struct OrderV1: Codable, Hashable, Sendable {
    /// How far an order has come; derived from its payment and its fulfilment.
    package enum State: String, Codable, Sendable, CaseIterable {
        /// Waiting for its payment.
        case issued
        /// Unpaid and given up; a payment reopens it.
        case closed
        /// Paid; the goods are on their way.
        case paid
        /// The goods are in the ledger.
        case granted
        /// Paid back; the goods are out of the ledger.
        case reversed
        /// Paid, but the catalog does not say what to grant.
        case parked
    }

    package var orderId: OrderID
    /// What the app gives to StoreKit; the same UUID as `orderId`.
    package var appAccountToken: String
    package var state: State
    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var productId: ProductID
    package var quantity: Int
    package var environment: Environment
    package var reference: String?
    package var metadata: [String: JSONValue]?
    package var createdAt: Timestamp
    package var closeReason: OrderCloseReason?
    package var transactionId: TransactionID?
    package var paidAt: Timestamp?
    package var grantedAt: Timestamp?
    /// Whether the payment came after the order had been closed.
    package var late: Bool?

    /// An order that was just issued; the rest is set by what happens to it.
    package init(
        orderId: OrderID,
        state: State,
        bundleId: BundleID,
        buyerId: BuyerID,
        productId: ProductID,
        quantity: Int,
        environment: Environment,
        createdAt: Timestamp
    ) {
        self.orderId = orderId
        appAccountToken = orderId.rawValue
        self.state = state
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.productId = productId
        self.quantity = quantity
        self.environment = environment
        self.createdAt = createdAt
    }
}
