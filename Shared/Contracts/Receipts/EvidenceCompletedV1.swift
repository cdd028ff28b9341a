/// Apple's history says nothing more of this purchase: what its receipt does not state is absent, unless Apple may know
/// more of the purchase by itself.
///
/// Where the purchase has gone to another chain, that one is told, under its original transaction id.
///
/// - Sent by: receipts (partition of the submission, or of an alias)
/// - Received by: receipts (partition of the original transaction id)
package struct EvidenceCompletedV1: Contract, Hashable, DirectlyCoded {
    package static let type: EventType = "counterfoil.evidence.completed.v1"

    package var environment: Environment
    package var bundleId: BundleID
    package var originalTransactionId: TransactionID
    package var transactionId: TransactionID
    package var purchaseId: PurchaseID
    /// Whether Apple knows the customer, and has said nothing of this purchase, so that it is to be asked about it
    /// alone; nil for no.
    package var mayKnowMore: Bool?
    /// The original transaction ids of the chains that have sent it on; nil if none has.
    package var aliases: [TransactionID]?

    package init(_ transaction: TransactionFacts, mayKnowMore: Bool = false) {
        environment = transaction.environment
        bundleId = transaction.bundleId
        originalTransactionId = transaction.originalTransactionId
        transactionId = transaction.transactionId
        purchaseId = transaction.purchaseId
        self.mayKnowMore = mayKnowMore ? true : nil
    }
}
