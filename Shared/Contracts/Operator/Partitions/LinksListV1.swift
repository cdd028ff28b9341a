/// Asks for a partition's outgoing links.
///
/// - Sent by: operator, gateway
/// - Received by: every partition (answered by Delivery)
package struct LinksListV1: RequestContract, Hashable {
    package typealias Reply = [LinkStatus]

    package static let type: EventType = "counterfoil.links.list.v1"
}
