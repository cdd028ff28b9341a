import Contracts
import Delivery

/// `counterfoil.previouschain.asked.v1`: who holds a chain that another one replaces is said, or asked of its home.
struct OnPreviousChainAsked {
    func callAsFunction(
        _ message: Event<PreviousChainAskedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        context.record(message, of: message.data.purchaseId.rawValue)
        switch try PreviousChainWorkflow.reply(to: message.data, in: context) {
        case .answer(let answered): try context.send(answered)
        case .forward(let asked): try context.send(asked)
        }
        return .applied
    }
}
