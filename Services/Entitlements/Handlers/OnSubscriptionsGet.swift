import Contracts
import Delivery

/// `counterfoil.subscriptions.get.v1`: the subscriptions of a buyer, as they are now.
struct OnSubscriptionsGet {
    func callAsFunction(
        _ message: Event<SubscriptionsGetV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<SubscriptionsV1> {
        let (request, now) = (message.data, context.now)
        let store = SubscriptionStore(connection: context.connection)
        let subscriptions = try store.access(BuyerKey(request))
            .map { $0.value.subscription($0.key, request.environment, at: now) }
        return .reply(SubscriptionsV1(subscriptions: subscriptions))
    }
}
