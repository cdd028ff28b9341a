/// Why an order does not take an event; its state is unchanged.
enum OrderRefusal: String, Error, CaseIterable, Sendable {
    /// A paid order is never closed.
    case paid
    /// Another purchase has paid the order.
    case paidByAnother
    /// The ledger has recorded a grant of an order that nobody has paid.
    case unpaid
    /// The order was made on the spot for a payment that is another buyer's now, and takes no other.
    case void
}
