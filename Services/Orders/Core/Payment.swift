import Contracts

/// Whether an order is paid: the first of an order's two state machines.
///
/// Tested by: `OrderMachineTests`, `ClaimTests`.
///
/// | from \ event | close(reason)    | deferPayment  | pay(purchase) | release(purchase) |
/// |--------------|------------------|---------------|---------------|-------------------|
/// | issued       | `closed(reason)` | `deferred`    | `paid`        | again             |
/// | deferred     | `closed(reason)` | again         | `paid`        | again             |
/// | closed       | again            | again         | `paid`, late  | again             |
/// | paid         | refused: paid    | refused: paid | the same: again; another: refused: paidByAnother | the same: what it was before, or `void` if nobody had placed it; another: again |
/// | void         | again            | again         | refused: void | again             |
///
/// *again*: the event was applied before, or does not concern the order; nothing changes. A closed order keeps its
/// first reason. Phones repeat their reports, so one that comes late must not open an order that no expiry would close:
/// only money reopens it.
enum Payment: Hashable, Sendable {
    case issued
    /// Somebody has to approve the payment, such as a parent; it is not late then, however long that takes.
    case deferred
    /// Given up unpaid; a payment reopens it.
    case closed(OrderCloseReason)
    /// Paid by one purchase, until that goes to another buyer.
    case paid(PaidPurchase, after: Unpaid)
    /// Made on the spot for a purchase that is another buyer's now; no payment reopens it.
    case void

    /// What happens to a payment.
    enum Event: Hashable, Sendable {
        case close(OrderCloseReason)
        /// The payment waits for an approval.
        case deferPayment
        case pay(PaidPurchase)
        /// The purchase has gone to another buyer.
        case release(PurchaseID)
    }

    /// Whether the order had been closed before its payment.
    var isLate: Bool {
        switch self {
        case .paid(_, after: .closed): true
        case .paid(_, after: .issued), .paid(_, after: .deferred), .paid(_, after: .unplaced), .issued,
            .deferred, .closed, .void:
            false
        }
    }

    /// Applies `event`.
    ///
    /// - Throws: `OrderRefusal` when the order is paid and the event is not that payment's repeat, or is void and paid.
    mutating func apply(_ event: Event) throws(OrderRefusal) -> Transition {
        switch (self, event) {
        case (.issued, .close(let reason)), (.deferred, .close(let reason)):
            self = .closed(reason)
            return .applied
        case (.issued, .deferPayment):
            self = .deferred
            return .applied
        case (.issued, .pay(let purchase)):
            self = .paid(purchase, after: .issued)
            return .applied
        case (.deferred, .pay(let purchase)):
            self = .paid(purchase, after: .deferred)
            return .applied
        case (.closed(let reason), .pay(let purchase)):
            self = .paid(purchase, after: .closed(reason))
            return .applied
        case (.paid(let payer, _), .pay(let purchase)):
            guard payer.id == purchase.id else { throw .paidByAnother }
            return .repeated
        case (.paid(let payer, let before), .release(let purchase)):
            guard payer.id == purchase else { return .repeated }
            self = before.payment
            return .applied
        case (.paid, .close), (.paid, .deferPayment):
            throw .paid
        case (.void, .pay):
            throw .void
        case (.closed, .close), (.closed, .deferPayment), (.deferred, .deferPayment), (.void, .close),
            (.void, .deferPayment), (.issued, .release), (.deferred, .release), (.closed, .release),
            (.void, .release):
            return .repeated
        }
    }
}
