/// Asks for held events and parked outside work.
///
/// - Sent by: operator
/// - Received by: every partition (answered by Delivery)
package struct HeldEventsListV1: RequestContract, Hashable {
    package typealias Reply = [HeldEvent]

    package static let type: EventType = "counterfoil.heldevents.list.v1"

    package init() {}
}
