import Contracts
import Delivery

/// `counterfoil.apple.order.wanted.v1`: a compensation stands on an order of Apple's, whose transactions it wants.
///
/// It is told them now if Apple has named them, else as soon as Apple does, whoever has asked.
struct OnAppleOrderWanted {
    let policies: [BundleID: AppPolicy]

    func callAsFunction(
        _ message: Event<AppleOrderWantedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let (wanted, orders) = (message.data, AppleOrders(context))
        try AppleOrderStore(connection: context.connection).add(wanted)
        _ = try orders.ask(wanted.appleOrderId, of: wanted.bundleId, policies)
        try orders.tell(wanted)
        return .applied
    }
}
