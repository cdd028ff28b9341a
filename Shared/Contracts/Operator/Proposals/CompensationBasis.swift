/// On what a compensation stands: exactly one of an order, an order of Apple's, and goodwill.
package struct CompensationBasis: Codable, Hashable, Sendable {
    /// What it is.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// An order of the buyer's that is said to be paid.
        case order
        /// An order number that Apple has sent by e-mail.
        case appleOrder
        /// Nothing was paid, or nobody knows what; no proof is ever matched with it.
        case goodwill
    }

    package var kind: Kind
    package var orderId: OrderID? = nil
    package var appleOrderId: AppleOrderID? = nil
    /// The transactions of Apple's order, once Apple or an operator has named them.
    package var transactionIds: [TransactionID]? = nil
}
