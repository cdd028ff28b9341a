import Contracts
import Delivery

/// `counterfoil.given.amounts.get.v1`: whether a purchase has given its holder amounts, whatever the catalog says now.
struct OnGivenAmountsGet {
    func callAsFunction(
        _ message: Event<GivenAmountsGetV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<GivenAmounts> {
        let request = message.data
        let buyer = BuyerKey(request.bundleId, request.buyerId, request.environment)
        let record = try GrantStore(connection: context.connection).record(of: request.purchaseId, to: buyer)
        return .reply(GivenAmounts(hasGiven: record?.grant.gaveAmount))
    }
}
