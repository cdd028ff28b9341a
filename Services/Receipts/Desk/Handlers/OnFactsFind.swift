import Contracts
import Delivery

/// `counterfoil.facts.find.v1`: what is known of proofs, purchases and Apple's notifications.
struct OnFactsFind {
    func callAsFunction(
        _ message: Event<FactsFindV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<FoundFacts> {
        guard !message.data.isTooLong else { return .refused(.tooManyTexts) }
        let facts = ReceiptFacts(connection: context.connection, now: context.now)
        return .reply(try facts.find(message.data))
    }
}
