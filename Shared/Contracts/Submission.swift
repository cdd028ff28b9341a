/// The submission on whose behalf a message travels: whose verdict must come home, and where to.
package struct Submission: Codable, Hashable, Sendable {
    package var receiptId: ReceiptID
    /// Who handed the proof in; the verdict goes to Notifications in this buyer's partition.
    package var submitter: BuyerID
    /// The order the submitter named, as it came: a hint, possibly the studio's own number.
    package var orderId: String?
    /// The id under which it names the purchase, where that is not the purchase's own; its verdict names it, too.
    package var transactionId: TransactionID?

    package init(
        receiptId: ReceiptID,
        submitter: BuyerID,
        orderId: String? = nil,
        transactionId: TransactionID? = nil
    ) {
        self.receiptId = receiptId
        self.submitter = submitter
        self.orderId = orderId
        self.transactionId = transactionId
    }
}
