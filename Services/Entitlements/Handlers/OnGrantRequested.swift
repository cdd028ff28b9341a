import Contracts
import Delivery
import Domain

/// `counterfoil.grant.requested.v1`: applies a purchase to the ledger.
struct OnGrantRequested {
    let catalog: Catalog

    func callAsFunction(
        _ message: Event<GrantRequestedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let (request, facts) = (message.data, message.data.transaction)
        let (known, others) = try records(message, in: &context)
        guard others.allSatisfy(\.grant.tenure.hasLeft) else {
            return .parked(Grant.Refusal.heldByAnotherBuyer.rawValue)
        }
        var grant = known?.grant ?? Grant(buyerId: request.buyerId)
        let floors = try context.floors(of: grant, facts, catalog)
        let offer = catalog.lookup(bundleID: facts.bundleId, productID: facts.productId)
        let owned = try context.owned(beside: grant, facts, offer)
        // A restored ledger may have told of what is refunded now: with its entries the refund is told, too.
        let isForgotten = try known == nil && context.mayHaveForgottenGrant(of: facts)
        let transfer = request.transfers ?? 0
        var lines: [Grant.Line] = []
        do throws(Grant.Refusal) {
            if isForgotten, transfer == 0 {
                lines = try grant.apply(facts.beforeRefund, for: request.buyerId, offer: offer, owned: owned)
            }
            lines += try grant.apply(
                facts,
                for: request.buyerId,
                offer: offer,
                floors: floors.adding(lines),
                owned: owned,
                transfer: transfer
            )
        } catch {
            return .parked(error.rawValue)
        }
        let record = GrantRecord(
            grant,
            of: facts,
            request.order,
            request.submission,
            by: message,
            catalog.version,
            at: context.now,
            over: known
        )
        if case .parked(let reason) = grant.state, grant.state != known?.grant.state {
            context.alarm("a purchase of \(facts.productId) is parked: \(reason.rawValue)")
        }
        try context.settle(record, lines, over: known, for: request.submission)
        if isForgotten { try context.tellEnd(of: offer.possessions, to: request.buyerId, facts) }
        return .applied
    }

    /// The buyer's record of the purchase, and those of others in this partition.
    ///
    /// Only a restored store can have it with another by an earlier transfer: from whom it has left, it is taken.
    private func records(
        _ message: Event<GrantRequestedV1>,
        in context: inout HandlerContext
    ) throws -> (known: GrantRecord?, others: [GrantRecord]) {
        let (store, request) = (GrantStore(connection: context.connection), message.data)
        var records = try store.records(of: request.transaction)
        let transfer = request.transfers ?? 0
        for other in records where other.grant.isHeld(byAnotherThan: request.buyerId, before: transfer) {
            try context.take(other, to: request.buyerId, by: transfer, because: message)
            records = try store.records(of: request.transaction)
        }
        let known = records.first { $0.grant.buyerId == request.buyerId }
        // Who has left it, or never had it, changes nothing for its holder.
        let isHolder = known.map { !$0.grant.tenure.hasLeft || transfer > $0.grant.tenure.last } ?? true
        return (known, isHolder ? records.filter { $0.grant.buyerId != request.buyerId } : [])
    }
}
