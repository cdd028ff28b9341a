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

extension TransactionFacts {
    /// Whether every proof of the purchase gives it the same key: its transaction id.
    var hasOneKey: Bool { type == "Consumable" || type == "Non-Renewing Subscription" }

    /// These facts under the key with which `order` was paid: the first key of a purchase stays.
    func paying(_ order: Order) -> TransactionFacts {
        guard case .paid(let payer, _) = order.payment else { return self }
        var facts = self
        facts.purchaseId = payer.id
        return facts
    }
}

extension Submission {
    /// This submission of a purchase whose key changes to that of `after`: it goes on naming its transaction.
    func named(_ before: TransactionFacts, _ after: TransactionFacts) -> Submission {
        guard before.purchaseId != after.purchaseId, transactionId == nil else { return self }
        var submission = self
        submission.transactionId = before.transactionId
        return submission
    }
}

/// Whether an order is paid: the first of an order's two state machines.
///
/// | from \ event | close(reason)    | deferPayment  | pay(purchase)                                 |
/// |--------------|------------------|---------------|-----------------------------------------------|
/// | issued       | `closed(reason)` | `deferred`    | `paid`                                        |
/// | deferred     | `closed(reason)` | again         | `paid`                                        |
/// | closed       | again            | again         | `paid`, late                                  |
/// | paid         | refused: paid    | refused: paid | the same: again; another: refused: paidByAnother |
///
/// *again*: the event was applied before; nothing changes. A closed order keeps its first reason. Phones repeat their
/// reports, so one that comes late must not open an order that no expiry would close: only money reopens it.
enum Payment: Hashable, Sendable {
    case issued
    /// Somebody has to approve the payment, such as a parent; it is neither late nor given up until then.
    case deferred
    /// Given up unpaid; a payment reopens it.
    case closed(OrderCloseReason)
    /// Paid by one purchase, for ever; late when it had been closed before.
    case paid(PaidPurchase, late: Bool)

    /// What happens to a payment.
    enum Event: Hashable, Sendable {
        case close(OrderCloseReason)
        /// The payment waits for an approval.
        case deferPayment
        case pay(PaidPurchase)
    }

    /// Applies `event`.
    ///
    /// - Throws: `OrderRefusal` when the order is paid and the event is not that payment's repeat.
    mutating func apply(_ event: Event) throws(OrderRefusal) -> Transition {
        switch (self, event) {
        case (.issued, .close(let reason)), (.deferred, .close(let reason)):
            self = .closed(reason)
            return .applied
        case (.issued, .deferPayment):
            self = .deferred
            return .applied
        case (.issued, .pay(let purchase)), (.deferred, .pay(let purchase)):
            self = .paid(purchase, late: false)
            return .applied
        case (.closed, .pay(let purchase)):
            self = .paid(purchase, late: true)
            return .applied
        case (.closed, .close), (.closed, .deferPayment), (.deferred, .deferPayment):
            return .repeated
        case (.paid(let payer, _), .pay(let purchase)):
            guard payer.id == purchase.id else { throw .paidByAnother }
            return .repeated
        case (.paid, .close), (.paid, .deferPayment):
            throw .paid
        }
    }
}
