/// One operator proposes to give a buyer what a product grants, without a payment that is proven.
///
/// Repeated with the same id and content, it has the same reply.
///
/// - Sent by: gateway
/// - Received by: entitlements
package struct CompensationProposeV1: RequestContract, Hashable {
    package typealias Reply = CompensationV1

    package static let type: EventType = "counterfoil.compensation.propose.v1"

    package var proposalId: ProposalID
    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    package var productId: ProductID
    package var quantity: Int
    package var basis: CompensationBasis
    /// Why, in the operator's words.
    package var reason: String
    package var operatorId: OperatorID
}
