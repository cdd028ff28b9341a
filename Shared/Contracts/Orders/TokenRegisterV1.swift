/// Registers an app's own `appAccountToken` for this buyer.
///
/// - Sent by: gateway, operator
/// - Received by: orders
package struct TokenRegisterV1: RequestContract, Hashable {
    package typealias Reply = TokenRegisteredV1

    package static let type: EventType = "counterfoil.token.register.v1"

    package var bundleId: BundleID
    /// A UUID that is no order's id.
    package var appAccountToken: String
    package var buyerId: BuyerID
}
