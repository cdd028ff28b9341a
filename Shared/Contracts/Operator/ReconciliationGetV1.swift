/// Asks how far a reconciliation is, and what it found in one partition.
///
/// - Sent by: operator
/// - Received by: receipts (all partitions)
package struct ReconciliationGetV1: Request, Hashable {
    package typealias Reply = ReconciliationV1

    package static let type: EventType = "counterfoil.reconciliation.get.v1"

    /// How much of it is asked for.
    package enum Part: String, Codable, Sendable, CaseIterable {
        /// How far it is.
        case progress
        /// The transactions that changed or that may still change, too.
        case changes
        /// All its transactions, too.
        case all
    }

    package var reconciliationId: EventID
    package var part: Part
    /// `ReconciliationV1.next` of the page before; nil for the first.
    package var after: [String]?

    package init(reconciliationId: EventID, part: Part, after: [String]? = nil) {
        self.reconciliationId = reconciliationId
        self.part = part
        self.after = after
    }
}
