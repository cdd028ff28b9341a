/// Asks one partition who owns some transactions.
///
/// - Sent by: operator
/// - Received by: receipts (partition of the original transaction id, or all)
package struct ClaimsGetV1: RequestContract, Hashable {
    package typealias Reply = ClaimsV1

    package static let type: EventType = "counterfoil.claims.get.v1"

    package var bundleId: BundleID
    package var environment: Environment
    package var transactionIds: [TransactionID]
}
