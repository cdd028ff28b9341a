import Contracts
import Delivery

/// `counterfoil.entitlements.get.v1`: what a buyer holds.
struct OnEntitlementsGet {
    func callAsFunction(
        _ message: Event<EntitlementsGetV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<EntitlementsV1> {
        let holdings = HoldingStore(connection: context.connection)
        return .reply(
            EntitlementsV1(
                buyerId: message.data.buyerId,
                environment: message.data.environment,
                balances: try holdings.balances(message.data),
                entitlements: try holdings.possessions(message.data, at: context.now)
            )
        )
    }
}
