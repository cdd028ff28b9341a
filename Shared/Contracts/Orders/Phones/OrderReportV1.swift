/// The phone says that StoreKit has not sold, or not yet.
///
/// - Sent by: gateway
/// - Received by: orders
package struct OrderReportV1: RequestContract, Hashable {
    /// What became of the attempt to buy.
    package enum Outcome: String, Codable, Sendable, CaseIterable {
        /// Somebody has to approve first.
        case deferred
        /// The buyer changed their mind.
        case cancelled
        case failed
    }

    package typealias Reply = OrderV1

    package static let type: EventType = "counterfoil.order.report.v1"

    package var bundleId: BundleID
    package var orderId: OrderID
    package var outcome: Outcome
    package var error: ReportedError? = nil
    /// Whose order it must be; nil: of any buyer.
    package var buyerId: BuyerID? = nil
}
