import Contracts
import Delivery

/// `counterfoil.name.held.v1`: what waits for the name goes on to its claim, or to the chain that has the name.
struct OnNameHeld {
    let policies: [BundleID: AppPolicy]

    func callAsFunction(_ message: Event<NameHeldV1>, in context: HandlerContext) throws -> Outcome {
        try TransactionWorkflow(policies: policies, in: context).resume(after: message)
    }
}
