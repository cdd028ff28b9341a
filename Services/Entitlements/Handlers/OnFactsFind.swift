import Contracts
import Delivery

/// `counterfoil.facts.find.v1`: what is known of grants, by their purchases.
struct OnFactsFind {
    func callAsFunction(
        _ message: Event<FactsFindV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<FoundFacts> {
        guard !message.data.isTooLong else { return .refused(.tooManyTexts) }
        return .reply(try GrantFacts(connection: context.connection, now: context.now).find(message.data))
    }
}
