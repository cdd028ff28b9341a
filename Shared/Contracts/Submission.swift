/// The submission that a message concerns: whose verdict must be updated, and where.
package struct Submission: Codable, Hashable, Sendable, DirectlyCoded {
    /// What the submitter wants besides the verdict.
    package enum Intent: String, Codable, Sendable, CaseIterable {
        /// Purchases of an earlier login: they may move to the submitter.
        case restore
        /// The same, with a proof that was signed too long ago to move anything; nobody asks for this.
        case staleRestore
    }

    package var receiptId: ReceiptID
    /// The verdict goes to Notifications in this buyer's partition.
    package var submitter: BuyerID
    /// The order the submitter named: an unchecked hint, possibly the studio's own number.
    package var orderId: String? = nil
    /// The submission's id for the purchase, if not the purchase's own; the verdict uses it too.
    package var transactionId: TransactionID? = nil
    /// True when the submission holds this transaction and nothing else: then the transaction's verdict is its own.
    package var isOnly: Bool? = nil
    /// Nil as long as nothing but the verdict is wanted.
    package var intent: Intent? = nil
    /// True where the submitter is no candidate: another login has bought it, or the proof is a transaction's id alone.
    package var isForAnother: Bool? = nil
}
