/// Counts what an operator does to amounts on a day, and refuses more than the limit.
///
/// The same act is counted once, however often it is repeated, on whatever day. An act about another proposal than
/// before is refused.
///
/// - Sent by: gateway
/// - Received by: entitlements (the partition of the operator's id)
package struct OperatorCountV1: RequestContract, Hashable {
    package typealias Reply = OperatorCount

    package static let type: EventType = "counterfoil.operator.count.v1"

    package var operatorId: OperatorID
    /// Names the act.
    package var actId: String
    /// What it is about.
    package var proposalId: ProposalID
    /// At least 1.
    package var limit: Int
    /// Which attempt at the act counts it: a request that is sent once more is another one.
    package var attempt: EventID
    /// Whether it counts no more, as nothing was done; not where a later attempt has counted it.
    package var isReturned: Bool? = nil
}
