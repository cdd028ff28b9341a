import Contracts
import Delivery

/// `counterfoil.previouschain.asked.v1`: who holds a chain that another one replaces is said, as soon as that is known.
struct OnPreviousChainAsked {
    func callAsFunction(
        _ message: Event<PreviousChainAskedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        context.trace(message, of: message.data.purchaseId.rawValue)
        try PreviousChainWorkflow.answer(message.data, in: context)
        return .applied
    }
}
