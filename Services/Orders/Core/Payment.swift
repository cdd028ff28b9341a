import Contracts

/// A purchase that pays an order, and the transaction id under which it did.
struct PaidPurchase: Hashable, Sendable {
    let id: PurchaseID
    let transactionID: TransactionID
}

extension PaidPurchase {
    init(_ transaction: TransactionFacts) {
        self.init(id: transaction.purchaseId, transactionID: transaction.transactionId)
    }
}

/// Whether an order is paid: the first of an order's two state machines.
///
/// | from \ event | close(reason)    | pay(purchase)                                 |
/// |--------------|------------------|-----------------------------------------------|
/// | issued       | `closed(reason)` | `paid`                                        |
/// | closed       | again            | `paid`, late                                  |
/// | paid         | refused: paid    | the same: again; another: refused: paidByAnother |
///
/// *again*: the event was applied before; nothing changes. A closed order keeps its first reason.
enum Payment: Hashable, Sendable {
    case issued
    /// Given up unpaid; a payment reopens it.
    case closed(OrderCloseReason)
    /// Paid by one purchase, for ever; late when it had been closed before.
    case paid(PaidPurchase, late: Bool)

    /// What happens to a payment.
    enum Event: Hashable, Sendable {
        case close(OrderCloseReason)
        case pay(PaidPurchase)
    }

    /// Applies `event`.
    ///
    /// - Throws: `OrderRefusal` when the order is paid and the event is not that payment's repeat.
    mutating func apply(_ event: Event) throws(OrderRefusal) -> Transition {
        switch (self, event) {
        case (.issued, .close(let reason)):
            self = .closed(reason)
            return .applied
        case (.issued, .pay(let purchase)):
            self = .paid(purchase, late: false)
            return .applied
        case (.closed, .pay(let purchase)):
            self = .paid(purchase, late: true)
            return .applied
        case (.closed, .close):
            return .repeated
        case (.paid(let payer, _), .pay(let purchase)):
            guard payer.id == purchase.id else { throw .paidByAnother }
            return .repeated
        case (.paid, .close):
            throw .paid
        }
    }
}
