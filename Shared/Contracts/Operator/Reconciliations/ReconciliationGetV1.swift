/// Asks for a reconciliation's progress, and for its results in one partition.
///
/// - Sent by: operator
/// - Received by: receipts (all partitions)
package struct ReconciliationGetV1: RequestContract, Hashable {
    package typealias Reply = ReconciliationV1

    package static let type: EventType = "counterfoil.reconciliation.get.v1"

    /// How much of it to return.
    package enum Part: String, Codable, Sendable, CaseIterable {
        case progress
        /// Also the transactions that changed or may still change.
        case changes
        /// Also all transactions.
        case all
    }

    package var reconciliationId: EventID
    package var part: Part
    /// The previous page's `next`; nil for the first page.
    package var after: [String]? = nil
}
