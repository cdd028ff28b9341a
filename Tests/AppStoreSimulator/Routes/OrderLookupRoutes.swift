import Hummingbird

/// Look Up Order ID: what was bought with the order number of a customer's invoice.
struct OrderLookupRoutes: Sendable {
    let store: SimulatedStore

    func add(to api: RouterGroup<SimulatorContext>) {
        api.get("v1/lookup/:orderId", use: lookup)
    }

    private struct Answer: Encodable {
        /// 0 for a valid order, 1 for none.
        let status: Int
        let signedTransactions: [String]
    }

    @Sendable private func lookup(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let call = APICall(store: store, environment: .production, request: request, context: context)
        let number = try context.parameters.require("orderId")
        guard let id = CustomerOrderNumber.transactionId(number), let sale = await store.register.sale(id),
            call.isOfCaller(sale)
        else { return try .json(Answer(status: 1, signedTransactions: [])) }
        return try .json(Answer(status: 0, signedTransactions: [store.signed(sale, call.quality)]))
    }
}
