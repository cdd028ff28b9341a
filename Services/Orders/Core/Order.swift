import Contracts

/// An order: who wants to buy what, whether it is paid, and whether the goods have come.
///
/// | event              | goes to    | refused when                                  |
/// |--------------------|------------|-----------------------------------------------|
/// | close(reason)      | payment    | paid                                          |
/// | pay(purchase)      | payment    | another purchase has paid: paidByAnother      |
/// | settle(purchase, outcome) | fulfilment | not paid: unpaid; by another: paidByAnother |
struct Order: Equatable, Sendable {
    /// What happens to an order.
    enum Event: Hashable, Sendable {
        /// No payment is expected any more.
        case close(OrderCloseReason)
        case pay(PaidPurchase)
        /// The ledger has settled this purchase.
        case settle(PurchaseID, GrantOutcome)
    }

    let id: OrderID
    let bundleID: BundleID
    let buyerID: BuyerID
    let content: OrderContent
    let issuedAt: Timestamp
    private(set) var payment: Payment = .issued
    private(set) var paidAt: Timestamp?
    private(set) var fulfilment: Fulfilment = .none
    /// When the goods came for the first time.
    private(set) var grantedAt: Timestamp?

    /// Applies `event`, which happens at `now`.
    ///
    /// - Throws: `OrderRefusal`; the order is then unchanged.
    mutating func apply(_ event: Event, at now: Timestamp) throws(OrderRefusal) -> Transition {
        switch event {
        case .close(let reason):
            return try payment.apply(.close(reason))
        case .pay(let purchase):
            let transition = try payment.apply(.pay(purchase))
            if transition == .applied { paidAt = now }
            return transition
        case .settle(let purchase, let outcome):
            return try settle(purchase, outcome, at: now)
        }
    }

    private mutating func settle(
        _ purchase: PurchaseID,
        _ outcome: GrantOutcome,
        at now: Timestamp
    ) throws(OrderRefusal) -> Transition {
        switch payment {
        case .issued, .closed: throw .unpaid
        case .paid(let payer, _): guard payer.id == purchase else { throw .paidByAnother }
        }
        let transition = fulfilment.apply(outcome)
        if fulfilment == .granted, grantedAt == nil { grantedAt = now }
        return transition
    }
}

extension Order {
    /// An order made on the spot for a payment without one; it has no reference.
    init(id: OrderID, buyerID: BuyerID, paidBy transaction: TransactionFacts, at now: Timestamp) {
        self.init(
            id: id,
            bundleID: transaction.bundleId,
            buyerID: buyerID,
            content: OrderContent(transaction),
            issuedAt: now,
            payment: .paid(PaidPurchase(transaction), late: false),
            paidAt: now
        )
    }
}
