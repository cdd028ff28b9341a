/// Asks for the progress of a partition's redrives.
///
/// - Sent by: operator, gateway
/// - Received by: every partition (answered by Delivery)
package struct RedrivesListV1: RequestContract, Hashable {
    package typealias Reply = RedriveList

    package static let type: EventType = "counterfoil.redrives.list.v1"

    package init() {}
}
