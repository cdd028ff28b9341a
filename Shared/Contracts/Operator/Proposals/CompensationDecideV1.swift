/// Another operator confirms a compensation, or one takes it back.
///
/// - Sent by: gateway
/// - Received by: entitlements (the partition that the id names)
package struct CompensationDecideV1: RequestContract, Hashable {
    package typealias Reply = CompensationV1

    package static let type: EventType = "counterfoil.compensation.decide.v1"

    /// What is decided.
    package enum Decision: String, Codable, Sendable, CaseIterable {
        case confirm, reverse
    }

    package var proposalId: ProposalID
    package var decision: Decision
    /// Why it is reversed.
    package var reason: String? = nil
    package var operatorId: OperatorID
    /// Whether nothing is done: how far it is, is answered.
    package var isDryRun: Bool? = nil
    /// Whether only the operator's own proposal, which nobody has confirmed, is taken back.
    package var onlyOwn: Bool? = nil
}
