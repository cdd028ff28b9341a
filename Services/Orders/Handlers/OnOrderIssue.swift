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
        try OrderIssue.check(request, metadataBytes: metadata?.utf8.count ?? 0)
        let order = Order(
            id: MadeOrders(context).newID(of: request.buyerId, in: request.bundleId),
            bundleID: request.bundleId,
            buyerID: request.buyerId,
            content: content,
            issuedAt: context.now,
            limit: request.limit
        )
        let key = request.idempotencyKey
        try admit(request, content, in: context)
        if try orders.add(order, metadata: metadata, idempotencyKey: key, message.id) {
            MadeOrders(context).count(order)
            let lookupAt = PaymentLookupSchedule.firstLookup(of: order)
            if let lookupAt { context.scheduleWork(at: lookupAt) }
            return .reply(order.snapshot)
        }
        let sameKey = try orders.order(idempotencyKey: key, of: request.buyerId, in: request.bundleId)
        return .reply(try OrderIssue.repetition(of: content, sameKey: sameKey).snapshot)
    }

    /// Refuses an order that the buyer may not have; a repeated request is no further one.
    private func admit(
        _ request: OrderIssueV1,
        _ content: OrderContent,
        in context: HandlerContext
    ) throws {
        let isFromPhone = request.issuedBy == .phone
        guard isFromPhone || request.onlyOne == true || request.limit != nil || request.onSale == false else {
            return
        }
        let (buyer, bundle) = (request.buyerId, request.bundleId)
        let orders = OrderStore(connection: context.connection)
        let sameKey = try orders.order(idempotencyKey: request.idempotencyKey, of: buyer, in: bundle)
        guard sameKey == nil else { return }
        let list = OrderListStore(connection: context.connection)
        let open = request.onlyOne == true ? try list.newestOpen(of: buyer, in: bundle, content) : nil
        let paidUnits =
            try request.limit.map { try list.paidUnits(of: buyer, in: bundle, content, limit: $0) } ?? 0
        let unpaidOrders = isFromPhone ? try list.unpaidOrders(of: buyer, in: bundle) : 0
        try OrderIssue.admit(request, open: open, paidUnits: paidUnits, unpaidOrders: unpaidOrders)
    }
}
