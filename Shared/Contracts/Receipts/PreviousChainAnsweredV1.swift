/// Who holds the last period of a chain before another one replaced it.
///
/// Sent once more when Apple's signed token has given that period to another buyer since.
///
/// - Sent by: receipts (partition of the chain that was asked)
/// - Received by: receipts (partition of the original transaction id)
package struct PreviousChainAnsweredV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.previouschain.answered.v1"

    package var environment: Environment
    package var bundleId: BundleID
    /// The chain and the purchase that have asked.
    package var originalTransactionId: TransactionID
    package var purchaseId: PurchaseID
    /// The original transaction id of the chain that was replaced, as Apple states it.
    package var previousId: TransactionID
    /// When the purchase was made that states it.
    package var boughtAt: Timestamp
    /// Nil if nobody does.
    package var buyerId: BuyerID?
    /// When that period was bought; nil if nobody holds one.
    package var purchasedAt: Timestamp?
    /// Whether that buyer has it by Apple's signed token; nil for no.
    package var isSigned: Bool?

    package init(
        _ asked: PreviousChainAskedV1,
        buyerId: BuyerID?,
        purchasedAt: Timestamp?,
        isSigned: Bool = false
    ) {
        environment = asked.environment
        bundleId = asked.bundleId
        originalTransactionId = asked.originalTransactionId
        purchaseId = asked.purchaseId
        previousId = asked.previousId
        boughtAt = asked.boughtAt
        self.buyerId = buyerId
        self.purchasedAt = purchasedAt
        self.isSigned = isSigned ? true : nil
    }
}
