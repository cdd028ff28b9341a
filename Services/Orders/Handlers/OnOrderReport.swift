import Contracts
import Delivery

/// `counterfoil.order.report.v1`: StoreKit has not sold to the phone, or not yet.
struct OnOrderReport {
    /// Replies with the order as it is then; a report changes nothing of one that is closed or paid.
    func callAsFunction(
        _ message: Event<OrderReportV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<OrderV1> {
        let report = message.data
        let orders = OrderStore(connection: context.connection)
        try OrderReport.check(report)
        let named = try orders.order(report.orderId, in: report.bundleId, of: report.buyerId)
        guard var order = named else { return .refused(.noSuchOrder) }
        let wasDeferred = order.payment == .deferred
        let transition: Transition
        do throws(OrderRefusal) {
            transition = try order.apply(.report(report.outcome, report.error), at: context.now)
        } catch {
            return .refused(.orderIsPaid)
        }
        let entry = Trace.Entry(message, at: context.now)
        switch transition {
        case .applied:
            if wasDeferred,
                let earlier = try OrdersTrace(connection: context.connection)
                    .last(OrderReportV1.type, of: order.id)
            {
                context.trace(earlier, of: order.id.rawValue)
            }
            try orders.report(order, report, entry)
            if order.payment == .deferred {
                context.scheduleWork(at: context.now.advanced(by: OrderExpiry.approvalAge))
            }
        case .repeated: context.trace(entry, of: order.id.rawValue)
        }
        return .reply(order.snapshot)
    }
}
