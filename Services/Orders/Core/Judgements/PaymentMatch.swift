import Contracts

/// Whether a transaction can be the payment of an order.
enum PaymentMatch: CaseIterable, Sendable {
    case absent
    /// Issued, deferred or closed, for this product and environment.
    case unpaid
    /// As `unpaid`, but issued when the purchase was made already.
    case issuedAfter
    /// Issued, deferred or closed, and this purchase has paid it before it went to another buyer.
    case released
    case paidByThis
    /// Issued, deferred or closed, for another product or environment.
    case otherProduct
    /// Another purchase has paid it; or it is void, and no purchase will ever pay it, whichever it had.
    case paidByAnother

    init(_ order: Order?, to transaction: TransactionFacts, at now: Timestamp) {
        guard let order, order.bundleID == transaction.bundleId else {
            self = .absent
            return
        }
        switch order.payment {
        case .issued, .deferred, .closed:
            if order.hasLost(transaction) {
                self = .released
            } else if !order.content.matches(transaction) {
                self = .otherProduct
            } else {
                self = order.isIssued(after: transaction, at: now) ? .issuedAfter : .unpaid
            }
        case .paid(let payer, _):
            let same =
                payer.isSame(as: PaidPurchase(transaction))
                && order.content.environment == transaction.environment
            self = same ? .paidByThis : .paidByAnother
        case .void:
            self = .paidByAnother
        }
    }
}
