/// Asks for the status of a partition.
///
/// - Sent by: operator, gateway
/// - Received by: every partition (answered by Delivery)
package struct PartitionStatusV1: RequestContract, Hashable {
    package typealias Reply = PartitionStatus

    package static let type: EventType = "counterfoil.partition.status.v1"
}
