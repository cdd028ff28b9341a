/// How far a compensation has come that was confirmed once: it is kept for a ledger that is put back from a backup.
///
/// - Sent by: entitlements
/// - Received by: orders
package struct CompensationChangedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.compensation.changed.v1"

    package var compensation: CompensationV1
}
