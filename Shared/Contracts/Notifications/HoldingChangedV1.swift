/// An entitlement is held from now on, or no longer, or until another moment.
///
/// Of all that is said of an entitlement the last word counts.
///
/// - Sent by: entitlements
/// - Received by: notifications; and as webhook, the app's own server
package struct HoldingChangedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.holding.changed.v1"

    /// What led to the change.
    package enum Reason: String, Codable, Sendable, CaseIterable {
        /// A purchase or a renewal gave it.
        case granted
        /// A refund took back what gave it.
        case refunded
        /// A refund was reversed.
        case refundReversed
        /// Another login restored what gave it.
        case transferred
        /// What gave it has turned out to be another buyer's purchase, or this one's after all.
        case reassigned
        /// Apple says something else of what gives it, such as an upgrade, an extension or a grace period.
        case updated
        /// Its time was over.
        case expired
        /// Its time had begun, or was not over yet when a wrong clock said so.
        case begun
    }

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    package var entitlement: String
    package var held: Bool
    /// When it ends; absent if never, and where it is not held.
    package var expires: Timestamp? = nil
    package var reason: Reason
}
