/// Gives a dead letter up; the audit keeps that it existed and who gave it up.
///
/// - Sent by: operator, gateway
/// - Received by: every partition (answered by Delivery)
package struct DeadLetterDiscardV1: Request, Hashable {
    package typealias Reply = DeadLetter

    package static let type: EventType = "counterfoil.deadletter.discard.v1"

    package var letterId: String
    /// Who decided it.
    package var decidedBy: String

    package init(letterId: String, decidedBy: String) {
        self.letterId = letterId
        self.decidedBy = decidedBy
    }
}
