import Contracts
import Delivery

/// `counterfoil.grant.recorded.v1`: the ledger has recorded what became of a purchase.
struct OnGrantRecorded {
    /// Applies the ledger's outcome; an outcome for an unknown payment is dead-lettered.
    ///
    /// What was on its way when the purchase went to another buyer is recorded, and applies to nothing.
    /// Where the payment may be forgotten, the outcome is only noted: once the payment is known again, the ledger is
    /// asked and answers once more.
    func callAsFunction(_ message: Event<GrantRecordedV1>, in context: HandlerContext) throws -> Outcome {
        let recorded = message.data
        let orders = OrderStore(connection: context.connection)
        guard var order = try orders.order(recorded.orderId), order.bundleID == recorded.bundleId else {
            return try contradicted(message, by: "unknownOrder", in: context)
        }
        let entry = Trace.Entry(message, at: context.now)
        var earlier: Trace.Entry?
        if order.fulfilment != .none {
            earlier = try OrdersTrace(connection: context.connection).last(GrantRecordedV1.type, of: order.id)
        }
        let transition: Transition
        do throws(OrderRefusal) {
            transition = try order.apply(
                .recordGrant(recorded.purchaseId, recorded.outcome, of: recorded.buyerId),
                at: context.now
            )
        } catch {
            return try contradicted(message, by: error.rawValue, in: context)
        }
        switch transition {
        case .applied:
            if let earlier { context.trace(earlier, of: order.id.rawValue) }
            try orders.recordGrant(order, entry)
        case .repeated: context.trace(entry, of: order.id.rawValue)
        }
        return .applied
    }

    private func contradicted(
        _ message: Event<GrantRecordedV1>,
        by reason: String,
        in context: HandlerContext
    ) throws -> Outcome {
        guard try context.mayHaveForgotten() else { return .deadLettered(reason) }
        context.trace(message, of: message.data.orderId.rawValue)
        return .applied
    }
}
