/// What is kept of a compensation, for a ledger that has lost it.
///
/// - Sent by: orders
/// - Received by: entitlements
package struct CompensationKeptV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.compensation.kept.v1"

    package var compensation: CompensationV1
}
