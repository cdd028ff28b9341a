/// Asks for delayed events and parked outside work.
///
/// - Sent by: operator
/// - Received by: every partition (answered by Delivery)
package struct DelayedEventsListV1: RequestContract, Hashable {
    package typealias Reply = [DelayedEvent]

    package static let type: EventType = "counterfoil.delayedevents.list.v1"
}
