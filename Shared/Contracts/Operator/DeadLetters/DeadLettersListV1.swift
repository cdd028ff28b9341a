/// Asks for the events that a partition could not handle.
///
/// - Sent by: operator, gateway
/// - Received by: every partition (answered by Delivery)
package struct DeadLettersListV1: RequestContract, Hashable {
    package typealias Reply = [DeadLetter]

    package static let type: EventType = "counterfoil.deadletters.list.v1"
}
