import Contracts
import Delivery

/// `counterfoil.entitlements.get.v1`: what a buyer holds.
struct OnEntitlementsGet {
    func callAsFunction(
        _ message: Event<EntitlementsGetV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<EntitlementsV1> {
        let (buyer, holdings) = (BuyerKey(message.data), HoldingStore(connection: context.connection))
        let reply = EntitlementsV1(
            buyerId: buyer.buyerId,
            environment: buyer.environment,
            balances: try holdings.balances(buyer),
            entitlements: try holdings.possessions(buyer, at: context.now)
        )
        return .reply(reply)
    }
}
