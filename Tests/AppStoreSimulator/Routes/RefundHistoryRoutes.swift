import Contracts
import Hummingbird

/// Get Refund History, version 2: what was paid back to a customer.
struct RefundHistoryRoutes: Sendable {
    let store: SimulatedStore
    let environment: StoreEnvironment

    func add(to api: RouterGroup<SimulatorContext>) {
        api.get("v2/refund/lookup/:transactionId", use: refunds)
    }

    private struct Answer: Encodable {
        let signedTransactions: [String]
        let revision: String
        let hasMore: Bool
    }

    @Sendable private func refunds(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let call = APICall(store: store, environment: environment, request: request, context: context)
        let sale = try await call.sale("transactionId")
        let refunded = await store.register.history(of: sale).filter { sale in
            sale.transaction.revocationType?.hasPrefix("REFUND") ?? false
        }
        let page = try Page(of: refunded, after: call.query("revision"))
        return try .json(
            Answer(
                signedTransactions: page.sales.map { try store.signed($0, call.quality) },
                revision: page.revision,
                hasMore: page.hasMore
            )
        )
    }
}
