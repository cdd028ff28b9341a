/// Another buyer holds the purchase: the verdict on the submitter's transaction is `conflict`.
///
/// - Sent by: receipts
/// - Received by: notifications
package struct ClaimConflictedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.claim.conflicted.v1"

    package var bundleId: BundleID
    package var submission: Submission
    package var transaction: TransactionVerdict
    /// How often the purchase had moved to its holder's login; nil if never.
    package var transfers: Int? = nil
}
