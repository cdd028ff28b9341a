import Contracts
import Delivery

/// `counterfoil.transaction.verified.v1`: a genuine transaction is applied to the claim of its purchase.
struct OnTransactionVerified {
    let policies: [BundleID: AppPolicy]

    func callAsFunction(
        _ message: Event<TransactionVerifiedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        try TransactionWorkflow(policies: policies, in: context).lead(message)
    }
}
