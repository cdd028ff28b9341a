import Contracts
import Delivery

/// `counterfoil.order.issue.v1`: the order is durable before any money moves.
struct OnOrderIssue {
    func callAsFunction(
        _ message: Event<OrderIssueV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<OrderV1> {
        let (request, content) = (message.data, OrderContent(message.data))
        let orders = OrderStore(connection: context.connection)
        let metadata = try request.metadata.map { try JSONColumn.text($0) }
        do throws(RequestRefusal) {
            try OrderIssue.check(request, metadataBytes: metadata?.utf8.count ?? 0)
        } catch {
            return .refused(error)
        }
        let order = Order(
            id: context.newOrderID(of: request.buyerId, in: request.bundleId),
            bundleID: request.bundleId,
            buyerID: request.buyerId,
            content: content,
            issuedAt: context.now
        )
        let key = request.idempotencyKey
        if try orders.add(order, metadata: metadata, idempotencyKey: key, message.id) {
            if let recheckAt = order.firstRecheckAt { context.scheduleWork(at: recheckAt) }
            return .reply(order.snapshot)
        }
        let sameKey = try orders.order(idempotencyKey: key, of: request.buyerId, in: request.bundleId)
        do throws(RequestRefusal) {
            return .reply(try OrderIssue.repetition(of: content, sameKey: sameKey).snapshot)
        } catch {
            return .refused(error)
        }
    }
}
