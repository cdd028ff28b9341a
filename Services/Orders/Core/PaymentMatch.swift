import Contracts

/// Whether a transaction can be the payment of an order.
enum PaymentMatch: CaseIterable, Sendable {
    case absent
    /// Issued, deferred or closed, for this product and environment.
    case unpaid
    /// As `unpaid`, but issued when the purchase was made already.
    case issuedAfter
    case paidByThis
    /// Issued, deferred or closed, for another product or environment.
    case otherProduct
    case paidByAnother

    init(_ order: Order?, to transaction: TransactionFacts, at now: Timestamp) {
        guard let order, order.bundleID == transaction.bundleId else {
            self = .absent
            return
        }
        switch order.payment {
        case .issued, .deferred, .closed:
            if !order.content.matches(transaction) {
                self = .otherProduct
            } else {
                self = order.isIssued(after: transaction, at: now) ? .issuedAfter : .unpaid
            }
        case .paid(let payer, _):
            let same =
                payer.id == transaction.purchaseId && order.content.environment == transaction.environment
            self = same ? .paidByThis : .paidByAnother
        }
    }
}
