/// Ends a link's quarantine: unsettled events are sent again in a new incarnation.
///
/// - Sent by: operator, gateway
/// - Received by: every partition (answered by Delivery)
package struct LinkResumeV1: RequestContract, Hashable {
    package typealias Reply = LinkStatus

    package static let type: EventType = "counterfoil.link.resume.v1"

    package var to: PartitionAddress
    /// Whether every current state is also sent again.
    package var redrive: Bool
}
