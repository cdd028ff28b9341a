/// An order as seen outside Orders.
package struct OrderV1: Codable, Hashable, Sendable, DirectlyCoded {
    /// Derived from payment and fulfilment.
    package enum State: String, Codable, Sendable, CaseIterable {
        case issued
        /// Waits for somebody's approval, such as Ask to Buy; a payment may come days later.
        case deferred
        /// Closed unpaid; a payment reopens it.
        case closed
        /// Paid; not granted yet.
        case paid
        /// The goods are in the ledger.
        case granted
        /// Refunded; the goods are out of the ledger.
        case refunded
        /// Paid, but the catalog does not say what to grant.
        case parked
        /// Made on the spot for a payment that turned out to be another buyer's.
        case void

        /// Whether money or goods are still awaited: a second order of the same product may be paid by mistake.
        package static let open: Set<State> = [.issued, .deferred, .paid, .parked]
    }

    /// What made the order.
    package enum Origin: String, Codable, Sendable, CaseIterable {
        /// The app asked for it before the payment.
        case phone
        /// A payment without an order, of which Apple's server told and no phone.
        case server
        /// The renewal of a subscription: nobody placed it.
        case renewal
        /// A payment without an order that a phone handed in.
        case spot

        /// What a list shows unless it is asked for others.
        package static let listed: [Origin] = [.phone, .server, .spot]
    }

    /// Who issued an order that a server of the app did not.
    package enum Issuer: String, Codable, Sendable, CaseIterable {
        /// A phone with a token of its buyer; the order's metadata is whatever the phone said, so nobody may trust it.
        case phone
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
    package var origin: Origin
    package var reference: String?
    package var metadata: [String: JSONValue]?
    /// Nil where a server of the app issued the order, and where nobody did.
    package var issuedBy: Issuer?
    package var createdAt: Timestamp
    package var closeReason: OrderCloseReason?
    package var transactionId: TransactionID?
    package var paidAt: Timestamp?
    package var grantedAt: Timestamp?
    /// Whether the order was closed before the payment.
    package var late: Bool?
    /// Whether the payment exceeded the product's limit for one buyer; it was granted all the same.
    package var overLimit: Bool?
    /// The production order that a sandbox payment named; such a payment gets an order of its own.
    package var sandboxOf: OrderID?
    /// What StoreKit said when the purchase did not come about.
    package var error: ReportedError?

    /// A newly issued order.
    package init(
        orderId: OrderID,
        state: State,
        bundleId: BundleID,
        buyerId: BuyerID,
        productId: ProductID,
        quantity: Int,
        environment: Environment,
        origin: Origin,
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
        self.origin = origin
        self.createdAt = createdAt
    }
}
