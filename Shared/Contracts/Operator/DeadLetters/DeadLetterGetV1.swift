/// Asks for one dead letter with its bytes.
///
/// - Sent by: operator, gateway
/// - Received by: every partition (answered by Delivery)
package struct DeadLetterGetV1: RequestContract, Hashable {
    package typealias Reply = DeadLetter

    package static let type: EventType = "counterfoil.deadletter.get.v1"

    package var letterId: String
}
