package import Contracts

/// One of the purchases of a chain that state one `webOrderLineItemId`.
///
/// The first one to come has the key that they share, and each further one its transaction id.
package struct LineItemPurchase: Hashable, Sendable {
    package let id: PurchaseID
    /// For what time its newest statement pays; nil of none.
    package let time: PaidTime?

    package init(_ id: PurchaseID, paying time: PaidTime?) {
        self.id = id
        self.time = time
    }

    /// The purchase of a transaction that nobody has seen and whose key leads to this one; nil of a further purchase.
    ///
    /// | this one's time and the transaction's | another purchase of the line item | its purchase  |
    /// |---------------------------------------|-----------------------------------|---------------|
    /// | equal, or they overlap                | –                                 | this one      |
    /// | either is empty                       | –                                 | this one      |
    /// | apart                                 | overlaps with the transaction's   | the other one |
    /// | apart                                 | none that overlaps                | a further one |
    ///
    /// The other purchases are looked up only if they decide.
    package func purchase<Failure: Error>(
        paidBy time: PaidTime?,
        others: () throws(Failure) -> [LineItemPurchase]
    ) throws(Failure) -> PurchaseID? {
        guard let time, let known = self.time, known.isApart(from: time) else { return id }
        return try others().first { $0.time?.isApart(from: time) == false }?.id
    }
}
