import Contracts
import Delivery
import OrdersCore

/// `counterfoil.order.issue.v1`: somebody wants to buy; the order exists, durably, before any money moves.
struct OnOrderIssue {
    /// Makes the order, or finds the one that the same request made before.
    ///
    /// - Throws: `StoreError`.
    func callAsFunction(
        _ message: Event<OrderIssueV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<OrderV1> {
        let request = message.data
        let metadata = try request.metadata.map { try JSONColumn.text($0) }
        do throws(OrderIssue.Refusal) {
            try OrderIssue.check(request, metadataBytes: metadata?.utf8.count ?? 0)
        } catch {
            return .refused(RequestRefusal(error))
        }
        let order = Order(
            id: context.newOrderID(of: request.buyerId, in: request.bundleId),
            bundleID: request.bundleId,
            buyerID: request.buyerId,
            content: OrderContent(request),
            issuedAt: context.now
        )
        let orders = OrderStore(connection: context.connection)
        let step = Step(message, in: context)
        let isNew = try orders.add(order, metadata: metadata, idempotencyKey: request.idempotencyKey, step)
        guard isNew else { return try repetition(of: request, in: orders) }
        if let lookAt = order.firstLookAt { context.scheduleWork(at: lookAt) }
        return .reply(order.snapshot)
    }

    private func repetition(
        of request: OrderIssueV1,
        in orders: OrderStore
    ) throws -> RequestOutcome<OrderV1> {
        let sameKey = try orders.order(
            idempotencyKey: request.idempotencyKey,
            of: request.buyerId,
            in: request.bundleId
        )
        do throws(OrderIssue.Refusal) {
            return .reply(try OrderIssue.repetition(of: OrderContent(request), sameKey: sameKey).snapshot)
        } catch {
            return .refused(RequestRefusal(error))
        }
    }
}
