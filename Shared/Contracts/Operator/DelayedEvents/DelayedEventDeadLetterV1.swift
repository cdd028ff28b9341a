/// Moves a delayed event to the dead letters and so unblocks its subject; the audit records who decided.
///
/// - Sent by: operator
/// - Received by: every partition (answered by Delivery)
package struct DelayedEventDeadLetterV1: RequestContract, Hashable {
    package typealias Reply = DelayedEvent

    package static let type: EventType = "counterfoil.delayedevent.deadletter.v1"

    package var eventId: String
    package var decidedBy: String
}
