import Contracts
import Delivery

/// `counterfoil.facts.find.v1`: what is known of orders, by any of their names.
struct OnFactsFind {
    func callAsFunction(
        _ message: Event<FactsFindV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<FoundFacts> {
        guard !message.data.isTooLong else { return .refused(.tooManyTexts) }
        return .reply(try OrderFacts(connection: context.connection).find(message.data))
    }
}
