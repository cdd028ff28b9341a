import Contracts
import Domain

/// An order: who wants to buy what, whether it is paid, and whether the goods have come.
///
/// Tested by: `OrderMachineTests`.
///
/// | event              | goes to    | refused when                                  |
/// |--------------------|------------|-----------------------------------------------|
/// | close(reason)      | payment    | paid                                          |
/// | report(outcome)    | payment    | never: what is closed or paid stays as it is  |
/// | pay(purchase)      | payment    | another purchase has paid: paidByAnother; void |
/// | release(purchase, transfer) | payment | never: without that purchase, or with it by a later transfer, it stays |
/// | recordGrant(purchase, outcome, ledger) | fulfilment | not paid: unpaid; by another: paidByAnother |
///
/// Of a purchase that has moved, only its holder's ledger counts: what another says of it is older. So is what is said
/// of a purchase that the order has lost, which changes nothing.
struct Order: Equatable, Sendable {
    /// What happens to an order.
    enum Event: Hashable, Sendable {
        /// No payment is expected any more.
        case close(OrderCloseReason)
        /// The phone's word of an attempt to buy.
        case report(OrderReportV1.Outcome, ReportedError?)
        case pay(PaidPurchase)
        /// This transfer has brought the purchase to another buyer, and to an order of theirs.
        case release(PurchaseID, by: Int)
        /// The ledger of this buyer has recorded what became of this purchase.
        case recordGrant(PurchaseID, GrantOutcome, of: BuyerID)
    }

    let id: OrderID
    let bundleID: BundleID
    let buyerID: BuyerID
    let content: OrderContent
    let issuedAt: Timestamp
    /// What made the order.
    var origin: OrderV1.Origin = .phone
    /// Most units of the product that one buyer may pay for, as the catalog said at the issue; nil without a limit.
    var limit: Int?
    /// Who holds the purchase that paid, if it has moved; nil while that is the buyer.
    var move: OrderMove?
    /// The production order that the sandbox payment of this one named.
    var sandboxOf: OrderID?
    /// By which evidence its payment came to the buyer; nil of an unpaid order.
    var evidence: HolderEvidence?
    /// The purchase that it has lost to another buyer, until that comes back; another one may pay it meanwhile.
    private(set) var released: ReleasedPurchase?
    private(set) var payment: Payment = .issued
    private(set) var paidAt: Timestamp?
    /// Whether the payment exceeded the limit.
    private(set) var isOverLimit = false
    private(set) var fulfilment: Fulfilment = .none
    /// When the goods came for the first time.
    private(set) var grantedAt: Timestamp?
    /// What the phone said when the purchase did not come about.
    private(set) var reportedError: ReportedError?

    /// Applies `event`, which happens at `now`.
    ///
    /// - Throws: `OrderRefusal`; the order is then unchanged.
    mutating func apply(_ event: Event, at now: Timestamp) throws(OrderRefusal) -> Transition {
        switch event {
        case .close(let reason):
            return try payment.apply(.close(reason))
        case .report(let outcome, let error):
            return try report(outcome, error)
        case .pay(let purchase):
            let transition = try payment.apply(.pay(purchase))
            guard transition == .applied else { return transition }
            paidAt = now
            if released?.purchase.isSame(as: purchase) == true { released = nil }
            return transition
        case .release(let purchase, let transfer):
            return try release(purchase, by: transfer)
        case .recordGrant(let purchase, let outcome, let buyer):
            return try recordGrant(purchase, outcome, of: buyer, at: now)
        }
    }

    /// Pays the order; of a limited product the buyer has paid for `paidUnits` before.
    mutating func pay(
        with transaction: TransactionFacts,
        paidUnits: Int,
        at now: Timestamp
    ) throws(OrderRefusal) -> Transition {
        let transition = try apply(.pay(PaidPurchase(transaction)), at: now)
        if transition == .applied, let limit {
            isOverLimit = UnitLimit(units: limit, paid: paidUnits).isExceeded(by: transaction.paidUnits)
        }
        return transition
    }

    private mutating func report(
        _ outcome: OrderReportV1.Outcome,
        _ error: ReportedError?
    ) throws(OrderRefusal) -> Transition {
        // The money is there, whatever the phone saw.
        if case .paid = payment { return .repeated }
        let transition =
            switch outcome {
            case .deferred: try payment.apply(.deferPayment)
            case .cancelled: try payment.apply(.close(.cancelled))
            case .failed: try payment.apply(.close(.failed))
            }
        if transition == .applied { reportedError = error }
        return transition
    }

    private mutating func release(
        _ purchase: PurchaseID,
        by transfer: Int
    ) throws(OrderRefusal) -> Transition {
        guard case .paid(let payer, _) = payment, transfer > move?.transfers ?? 0 else { return .repeated }
        let transition = try payment.apply(.release(purchase))
        guard transition == .applied else { return transition }
        released = ReleasedPurchase(purchase: payer, transfer: transfer)
        (move, evidence, paidAt, grantedAt) = (nil, nil, nil, nil)
        (isOverLimit, fulfilment) = (false, .none)
        return transition
    }

    private mutating func recordGrant(
        _ purchase: PurchaseID,
        _ outcome: GrantOutcome,
        of buyer: BuyerID,
        at now: Timestamp
    ) throws(OrderRefusal) -> Transition {
        // It was on its way when the purchase went to another buyer.
        if released?.purchase.id == purchase { return .repeated }
        switch payment {
        case .issued, .deferred, .closed, .void: throw .unpaid
        case .paid(let payer, _): guard payer.id == purchase else { throw .paidByAnother }
        }
        if let move, move.holder != buyer { return .repeated }
        let transition = fulfilment.apply(outcome)
        if fulfilment == .granted, grantedAt == nil { grantedAt = now }
        return transition
    }
}

/// To whom the purchase that paid an order has moved, and with which transfer: the first is 1.
struct OrderMove: Hashable, Sendable {
    let holder: BuyerID
    let transfers: Int
}

/// The purchase that an order has lost to another buyer, and by which transfer.
struct ReleasedPurchase: Hashable, Sendable {
    let purchase: PaidPurchase
    let transfer: Int
}

extension Order {
    /// Whether the order has lost the purchase of a transaction to another buyer.
    func hasLost(_ transaction: TransactionFacts) -> Bool {
        guard let released, content.environment == transaction.environment else { return false }
        return released.purchase.isSame(as: PaidPurchase(transaction))
    }

    /// Whether an update was sent before the order lost the purchase, so that it says nothing of it any more.
    func hasLost(_ update: TransactionUpdatedV1) -> Bool {
        guard let released, hasLost(update.transaction) else { return false }
        return update.transferred?.count ?? 0 < released.transfer
    }
}

extension Order {
    /// Who holds the purchase that has paid.
    var holder: BuyerID { move?.holder ?? buyerID }

    var transferred: Transferred? { move.map { Transferred(count: $0.transfers, payerId: buyerID) } }

    /// The order after its purchase was said to be with this holder; nil where no later transfer led there.
    func moved(to holder: BuyerID, _ transferred: Transferred?) -> Order? {
        guard let transferred, transferred.count > move?.transfers ?? 0 else { return nil }
        var order = self
        order.move = OrderMove(holder: holder, transfers: transferred.count)
        return order
    }

    /// An order made for a payment without one; it has no reference.
    init(
        id: OrderID,
        buyerID: BuyerID,
        paidBy transaction: TransactionFacts,
        origin: OrderV1.Origin,
        sandboxOf named: OrderID? = nil,
        limit: UnitLimit? = nil,
        by evidence: HolderEvidence,
        at now: Timestamp
    ) {
        self.init(
            id: id,
            bundleID: transaction.bundleId,
            buyerID: buyerID,
            content: OrderContent(transaction),
            issuedAt: now,
            origin: origin,
            limit: limit?.units,
            sandboxOf: named,
            evidence: evidence,
            payment: .paid(PaidPurchase(transaction), after: origin == .phone ? .issued : .unplaced),
            paidAt: now,
            isOverLimit: limit?.isExceeded(by: transaction.paidUnits) ?? false
        )
    }
}
