/// An order as seen outside Orders.
package struct OrderV1: Codable, Hashable, Sendable {
    /// Derived from payment and fulfilment.
    package enum State: String, Codable, Sendable, CaseIterable {
        case issued
        /// Closed unpaid; a payment reopens it.
        case closed
        /// Paid; not granted yet.
        case paid
        /// The goods are in the ledger.
        case granted
        /// Refunded; the goods are out of the ledger.
        case reversed
        /// Paid, but the catalog does not say what to grant.
        case parked
    }

    package var orderId: OrderID
    /// Passed to StoreKit; the same UUID as `orderId`.
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
    /// Whether the order was closed before the payment.
    package var late: Bool?

    /// A newly issued order.
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

extension OrderV1: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        orderId = try json.member("orderId", value?.orderId)
        appAccountToken = try json.member("appAccountToken", value?.appAccountToken)
        state = try json.member("state", value?.state)
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        productId = try json.member("productId", value?.productId)
        quantity = try json.member("quantity", value?.quantity)
        environment = try json.member("environment", value?.environment)
        reference = try json.optional("reference", value?.reference)
        metadata = try json.optional("metadata", value?.metadata)
        createdAt = try json.member("createdAt", value?.createdAt)
        closeReason = try json.optional("closeReason", value?.closeReason)
        transactionId = try json.optional("transactionId", value?.transactionId)
        paidAt = try json.optional("paidAt", value?.paidAt)
        grantedAt = try json.optional("grantedAt", value?.grantedAt)
        late = try json.optional("late", value?.late)
        try json.close()
    }
}
