/// Asks for a partition's records about some ids.
///
/// - Sent by: operator, gateway
/// - Received by: every partition (answered by Delivery)
package struct TraceV1: RequestContract, Hashable {
    package typealias Reply = Trace

    package static let type: EventType = "counterfoil.trace.v1"

    /// Ids of orders, receipts, transactions or events.
    package var identifiers: [String]
}
