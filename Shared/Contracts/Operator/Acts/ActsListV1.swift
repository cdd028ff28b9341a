/// Asks one partition what operators have done in it.
///
/// - Sent by: operator, gateway
/// - Received by: every partition (answered by Delivery)
package struct ActsListV1: RequestContract, Hashable {
    package typealias Reply = [Act]

    package static let type: EventType = "counterfoil.acts.list.v1"

    /// Only those before this one; nil for the newest.
    package var before: Int64? = nil
    /// Only those with this subject, proposal, operator or pseudonym.
    package var about: String? = nil
    package var limit: Int
}
