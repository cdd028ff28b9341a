/// Discards a dead letter; the audit records it and who decided.
///
/// - Sent by: operator, gateway
/// - Received by: every partition (answered by Delivery)
package struct DeadLetterDiscardV1: RequestContract, Hashable {
    package typealias Reply = DeadLetter

    package static let type: EventType = "counterfoil.deadletter.discard.v1"

    package var letterId: String
    package var decidedBy: String
}
