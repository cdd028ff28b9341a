/// The transaction is on its way to its claim.
package struct TransactionDeliveredV1: Codable, Hashable, Sendable {
    package var transactionId: TransactionID

    package init(transactionId: TransactionID) { self.transactionId = transactionId }
}
