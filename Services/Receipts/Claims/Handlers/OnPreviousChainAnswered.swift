import Contracts
import Delivery

/// `counterfoil.previouschain.answered.v1`: what waits for the holder of the replaced chain goes on to its claim.
struct OnPreviousChainAnswered {
    let policies: [BundleID: AppPolicy]

    func callAsFunction(
        _ message: Event<PreviousChainAnsweredV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        try TransactionWorkflow(policies: policies, in: context).resume(after: message)
    }
}
