import Contracts
import Delivery

/// `counterfoil.order.issue.v1`: the order is durable before any money moves.
struct OnOrderIssue {
    func callAsFunction(
        _ message: Event<OrderIssueV1>,
        in context: HandlerContext
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
            id: MadeOrders(context).newID(of: request.buyerId, in: request.bundleId),
            bundleID: request.bundleId,
            buyerID: request.buyerId,
            content: content,
            issuedAt: context.now,
            limit: request.limit
        )
        let key = request.idempotencyKey
        if let refusal = try refusal(of: request, content, in: context) { return .refused(refusal) }
        if try orders.add(order, metadata: metadata, idempotencyKey: key, message.id) {
            MadeOrders(context).count(order)
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

    /// Why the buyer may not have a further order; a repeated request is no further one.
    private func refusal(
        of request: OrderIssueV1,
        _ content: OrderContent,
        in context: HandlerContext
    ) throws -> RequestRefusal? {
        guard request.onlyOne == true || request.limit != nil || request.onSale == false else { return nil }
        let (buyer, bundle) = (request.buyerId, request.bundleId)
        let orders = OrderStore(connection: context.connection)
        let sameKey = try orders.order(idempotencyKey: request.idempotencyKey, of: buyer, in: bundle)
        guard sameKey == nil else { return nil }
        let list = OrderListStore(connection: context.connection)
        let open = request.onlyOne == true ? try list.newestOpen(of: buyer, in: bundle, content) : nil
        let paidUnits =
            try request.limit.map { try list.paidUnits(of: buyer, in: bundle, content, limit: $0) } ?? 0
        do throws(RequestRefusal) {
            try OrderIssue.admit(request, open: open, paidUnits: paidUnits)
            return nil
        } catch {
            return error
        }
    }
}
