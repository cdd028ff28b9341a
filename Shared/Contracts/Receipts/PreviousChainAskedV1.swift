/// Asks who holds a chain that another one replaces, as Apple states.
///
/// Where it has no holder and leads to a home, that one is asked. Answered with `PreviousChainAnsweredV1`.
///
/// - Sent by: receipts (partition of the original transaction id, or of an alias)
/// - Received by: receipts (partition of the chain that is asked)
package struct PreviousChainAskedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.previouschain.asked.v1"

    package var environment: Environment
    package var bundleId: BundleID
    /// The chain and the purchase that wait for the answer.
    package var originalTransactionId: TransactionID
    package var purchaseId: PurchaseID
    /// The original transaction id of the chain that was replaced, as Apple states it.
    package var previousId: TransactionID
    /// When the purchase was made that states it: what was bought later was not replaced by it.
    package var boughtAt: Timestamp
    /// The chain that is asked: the replaced one, or its home.
    package var askedId: TransactionID
    /// The chains that have led from the replaced one to that; nil if none has.
    package var aliases: [TransactionID]?

    package init(
        environment: Environment,
        bundleId: BundleID,
        originalTransactionId: TransactionID,
        purchaseId: PurchaseID,
        previousId: TransactionID,
        boughtAt: Timestamp
    ) {
        self.environment = environment
        self.bundleId = bundleId
        self.originalTransactionId = originalTransactionId
        self.purchaseId = purchaseId
        self.previousId = previousId
        self.boughtAt = boughtAt
        askedId = previousId
    }
}
