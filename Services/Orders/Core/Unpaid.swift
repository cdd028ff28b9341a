import Contracts

/// What an order was before its payment, and is again without it.
enum Unpaid: Hashable, Sendable {
    case issued
    case deferred
    case closed(OrderCloseReason)
    /// Nobody had placed it: it was made on the spot for its payment.
    case unplaced

    /// The payment of an order that has lost its purchase.
    var payment: Payment {
        switch self {
        case .issued: .issued
        case .deferred: .deferred
        case .closed(let reason): .closed(reason)
        case .unplaced: .void
        }
    }
}
