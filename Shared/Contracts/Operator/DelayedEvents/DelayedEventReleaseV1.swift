/// Retries a delayed event or parked work now; the audit records who decided.
///
/// - Sent by: operator
/// - Received by: every partition (answered by Delivery)
package struct DelayedEventReleaseV1: RequestContract, Hashable {
    package typealias Reply = DelayedEvent

    package static let type: EventType = "counterfoil.delayedevent.release.v1"

    package var eventId: String
    package var decidedBy: String
}
