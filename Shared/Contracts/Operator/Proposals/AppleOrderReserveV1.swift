/// Reserves an order of Apple's for one proposal while it is looked for everywhere and then written, or frees it.
///
/// It ends by itself after a while; the same proposal may renew it. Another proposal is refused meanwhile. The
/// assignment of a purchase of the order reserves it, too.
///
/// - Sent by: gateway
/// - Received by: entitlements (the partition of the order's number)
package struct AppleOrderReserveV1: RequestContract, Hashable {
    package typealias Reply = AppleOrderReserved

    package static let type: EventType = "counterfoil.apple.order.reserve.v1"

    package var bundleId: BundleID
    package var appleOrderId: AppleOrderID
    /// Whose it is meanwhile; that of an assignment is of no proposal.
    package var proposalId: ProposalID
    /// Whether it ends now.
    package var isFreed: Bool? = nil
}

/// What has become of a reservation.
package struct AppleOrderReserved: Codable, Hashable, Sendable {
    /// Whether the proposal did not have it a moment before.
    package var isNew: Bool
}
