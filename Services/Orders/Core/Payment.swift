package import Contracts

/// Whether an order is paid: the first of the two machines of which an order consists.
///
/// | from \ event | close(reason)    | pay(transaction)                              |
/// |--------------|------------------|-----------------------------------------------|
/// | issued       | `closed(reason)` | `paid`                                        |
/// | closed       | again            | `paid`, late                                  |
/// | paid         | refused: paid    | the same: again; another: refused: paidByAnother |
///
/// *again*: the event was applied before; nothing changes. A closed order keeps its first reason.
package enum Payment: Hashable, Sendable {
    /// Waiting for its payment.
    case issued
    /// Given up unpaid; a payment reopens it.
    case closed(OrderCloseReason)
    /// Paid by one transaction, for ever; late when it had been closed before.
    case paid(TransactionID, late: Bool)

    /// What happens to a payment.
    package enum Event: Hashable, Sendable {
        case close(OrderCloseReason)
        case pay(TransactionID)
    }

    /// Applies `event`.
    ///
    /// - Throws: `OrderRefusal` when the order is paid and the event is not that payment's repeat.
    package mutating func apply(_ event: Event) throws(OrderRefusal) -> Effect {
        switch (self, event) {
        case (.issued, .close(let reason)):
            self = .closed(reason)
            return .applied
        case (.issued, .pay(let transaction)):
            self = .paid(transaction, late: false)
            return .applied
        case (.closed, .pay(let transaction)):
            self = .paid(transaction, late: true)
            return .applied
        case (.closed, .close):
            return .repeated
        case (.paid(let payer, _), .pay(let transaction)):
            guard payer == transaction else { throw .paidByAnother }
            return .repeated
        case (.paid, .close):
            throw .paid
        }
    }
}
