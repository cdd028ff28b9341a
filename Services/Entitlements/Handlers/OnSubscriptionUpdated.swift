import Contracts
import Delivery

/// `counterfoil.subscription.updated.v1`: Receipts knows more of a subscription than the periods that its buyer holds.
struct OnSubscriptionUpdated {
    func callAsFunction(
        _ message: Event<SubscriptionUpdatedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        try HoldingChanges(context).note(message.data)
        return .applied
    }
}
