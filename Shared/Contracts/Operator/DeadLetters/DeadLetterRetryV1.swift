/// Has a dead letter handled again.
///
/// - Sent by: operator, gateway
/// - Received by: every partition (answered by Delivery)
package struct DeadLetterRetryV1: RequestContract, Hashable {
    package typealias Reply = DeadLetter

    package static let type: EventType = "counterfoil.deadletter.retry.v1"

    package var letterId: String
}
