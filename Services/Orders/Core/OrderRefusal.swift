/// Why an order does not take an event; its state stays as it was.
package enum OrderRefusal: String, Error, CaseIterable, Sendable {
    /// A paid order is never closed.
    case paid
    /// One order, one payment: another purchase has paid it.
    case paidByAnother
    /// The ledger speaks of an order that nobody has paid.
    case unpaid
}
