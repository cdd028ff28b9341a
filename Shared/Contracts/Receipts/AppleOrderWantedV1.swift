/// A compensation stands on an order of Apple's, and nobody has said which transactions that order has.
///
/// - Sent by: entitlements
/// - Received by: receipts
package struct AppleOrderWantedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.apple.order.wanted.v1"

    package var proposalId: ProposalID
    package var bundleId: BundleID
    package var appleOrderId: AppleOrderID
}
