/// Reserves an order of Apple's for one proposal while it is looked for everywhere and then written, or frees it.
///
/// It ends by itself after a while; the same proposal may take it over. Another proposal is refused meanwhile. The
/// assignment of a purchase of the order reserves it, too.
///
/// - Sent by: gateway
/// - Received by: entitlements (the partition of the order's number)
package struct AppleOrderReserveV1: RequestContract, Hashable {
    /// What an attempt wants of it.
    package enum Step: String, Codable, Sendable, CaseIterable {
        /// It is this attempt's from now on, whichever attempt of the same proposal had it.
        case take
        /// It runs on, if this attempt has it yet.
        case keep
        /// It ends now, if this attempt has it yet.
        case free
    }

    package typealias Reply = AppleOrderReserved

    package static let type: EventType = "counterfoil.apple.order.reserve.v1"

    package var bundleId: BundleID
    package var appleOrderId: AppleOrderID
    /// Whose it is meanwhile; that of an assignment is of no proposal.
    package var proposalId: ProposalID
    /// Which of its attempts asks: a request that is sent once more is another one.
    package var attempt: EventID
    package var step: Step
}

/// What has become of a reservation.
package struct AppleOrderReserved: Codable, Hashable, Sendable {
    /// Whether no attempt of the proposal had it a moment before; of one that keeps it, whether it had it no more.
    package var isNew: Bool
}
