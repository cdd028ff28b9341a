import Contracts
import Delivery

/// `counterfoil.entitlements.get.v1`: what a buyer holds.
struct OnEntitlementsGet {
    func callAsFunction(
        _ message: Event<EntitlementsGetV1>,
        in transaction: inout Transaction
    ) throws -> RequestOutcome<EntitlementsV1> {
        let holdings = HoldingStore(connection: transaction.connection)
        return .reply(
            EntitlementsV1(
                buyerId: message.data.buyerId,
                environment: message.data.environment,
                balances: try holdings.balances(message.data),
                entitlements: try holdings.possessions(message.data)
            )
        )
    }
}
