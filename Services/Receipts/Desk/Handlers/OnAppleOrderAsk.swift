import Contracts
import Delivery

/// `counterfoil.apple.order.ask.v1`: asks Apple about its order once; the answer is read by the same question.
///
/// What Apple answers enters as everything that Apple tells does: a lost purchase is found by it, and granted.
struct OnAppleOrderAsk {
    let policies: [BundleID: AppPolicy]

    func callAsFunction(
        _ message: Event<AppleOrderAskV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<AppleOrderV1> {
        let request = message.data
        return .reply(try AppleOrders(context).ask(request.appleOrderId, of: request.bundleId, policies))
    }
}
