import Contracts
import Delivery

/// `counterfoil.consent.set.v1`: stores what a buyer agrees to; the last word holds.
struct OnConsentSet {
    func callAsFunction(
        _ message: Event<ConsentSetV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ConsentV1> {
        try ConsentStore(connection: context.connection).set(message.data, at: context.now)
        return .reply(ConsentV1(buyerId: message.data.buyerId, consumption: message.data.consumption))
    }
}
