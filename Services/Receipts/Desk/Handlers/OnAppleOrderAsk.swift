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
        let (order, bundle) = (message.data.appleOrderId, message.data.bundleId)
        guard policies[bundle]?.apis.contains(.serverAPI) == true else {
            return .reply(AppleOrderV1(state: .unaskable))
        }
        let store = AppleOrderStore(connection: context.connection)
        let known = try store.records(order).first { $0.bundleID == bundle }
        guard AppleOrderQuestion(known).isDue(at: context.now) else {
            return .reply(AppleOrderQuestion(known).answer)
        }
        try store.ask(order, of: bundle, now: context.now)
        try AppleQueries(context).ask(.order(order), of: bundle, .awaited)
        return .reply(AppleOrderV1(state: .asked, askedAt: context.now))
    }
}
