/// Asks what Apple knows of an order by the number on the buyer's e-mail; Apple is asked unless it has just answered.
///
/// - Sent by: operator, gateway
/// - Received by: receipts
package struct AppleOrderAskV1: RequestContract, Hashable {
    package typealias Reply = AppleOrderV1

    package static let type: EventType = "counterfoil.apple.order.ask.v1"

    package var bundleId: BundleID
    package var appleOrderId: AppleOrderID
}
