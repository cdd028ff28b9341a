import Contracts
import Delivery

/// `counterfoil.reconciliation.get.v1`: the progress and findings of a reconciliation in this partition.
struct OnReconciliationGet {
    static let pageSize = 500

    func callAsFunction(
        _ message: Event<ReconciliationGetV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ReconciliationV1> {
        let (ask, store) = (message.data, ReconciliationStore(connection: context.connection))
        var reply = ReconciliationV1(progress: try store.job(ask.reconciliationId)?.progress)
        guard ask.part != .progress else { return .reply(reply) }
        let (page, next) = try store.transactions(
            of: ask.reconciliationId,
            after: ask.after?.first,
            limit: Self.pageSize
        )
        let claims = ClaimStore(connection: context.connection)
        reply.next = next.map { [$0] }
        reply.count = page.count
        reply.unknown = page.count { $0.before == nil }
        reply.received = page.map(\.findings).reduce(0, +)
        reply.transactions = try page.map { $0.report(claim: try claims.claim(of: $0.facts)) }
            .filter { ask.part == .all || $0.changed || $0.isOpen }
        return .reply(reply)
    }
}
