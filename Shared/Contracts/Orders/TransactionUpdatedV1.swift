/// A transaction with a held claim was submitted again, or Apple signed newer facts.
///
/// - Sent by: receipts
/// - Received by: orders
package struct TransactionUpdatedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.transaction.updated.v1"

    /// The newest in Receipts.
    package var transaction: TransactionFacts
    package var buyerId: BuyerID
    package var orderId: OrderID
    /// True when the claim was made for a phone's proof, nil when Apple alone told of the payment.
    package var isSubmitted: Bool? = nil
    /// Whose verdict must be updated; only when the submitter is the holder.
    package var submission: Submission? = nil
    /// Nil while the holder is the buyer who paid the order.
    package var transferred: Transferred? = nil
    /// By what the holder has it, in case Orders has lost the payment; nil where Receipts does not know either.
    package var evidence: HolderEvidence? = nil
}
