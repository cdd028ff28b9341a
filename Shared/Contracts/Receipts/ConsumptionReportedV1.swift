/// What the ledger says of the use of a purchase, and whether Apple may be told.
///
/// - Sent by: entitlements
/// - Received by: receipts
package struct ConsumptionReportedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.consumption.reported.v1"

    package var bundleId: BundleID
    package var environment: Environment
    /// The transaction that Apple named.
    package var transactionId: TransactionID
    package var originalTransactionId: TransactionID
    /// Whether the buyer agrees that Apple is told.
    package var isConsented: Bool
    /// Whether the goods came into the ledger.
    package var isDelivered: Bool
    /// The used part in milliunits of a percent, 0 to 100,000; nil where goods have no parts.
    package var consumed: Int?

    package init(
        _ request: ConsumptionRequestedV1,
        isConsented: Bool,
        isDelivered: Bool,
        consumed: Int? = nil
    ) {
        bundleId = request.bundleId
        environment = request.environment
        transactionId = request.transactionId
        originalTransactionId = request.originalTransactionId
        self.isConsented = isConsented
        self.isDelivered = isDelivered
        self.consumed = consumed
    }
}
