import Contracts
import Delivery

/// `counterfoil.compensation.changed.v1`: what has become of a compensation is kept for a ledger that loses it.
struct OnCompensationChanged {
    func callAsFunction(
        _ message: Event<CompensationChangedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let compensation = message.data.compensation
        try KeptCompensationStore(connection: context.connection).keep(compensation)
        context.trace(message, of: compensation.proposalId.rawValue)
        return .applied
    }
}
