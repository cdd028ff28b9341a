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
        let known = try GrantStore(connection: context.connection).record(of: facts)
        var grant = known?.grant ?? Grant(buyerId: request.buyerId)
        let floors = try context.floors(of: grant, facts, catalog)
        let lines: [Grant.Line]
        do throws(Grant.Refusal) {
            let offer = catalog.lookup(bundleID: facts.bundleId, productID: facts.productId)
            lines = try grant.apply(facts, for: request.buyerId, offer: offer, floors: floors)
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
        return .applied
    }
}
