import Contracts
import Delivery
import Domain

/// `counterfoil.apple.order.named.v1`: Apple has named the transactions of the order on which a compensation stands.
///
/// A proof of one of them takes its place from now on; one that has come before does so here.
struct OnAppleOrderNamed {
    let catalog: Catalog

    func callAsFunction(
        _ message: Event<AppleOrderNamedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let (named, store) = (message.data, CompensationStore(connection: context.connection))
        // A restored ledger may have lost it.
        guard var compensation = try store.compensation(named.proposalId) else { return .applied }
        if compensation.name(named.transactionIds) {
            try store.save(compensation, over: compensation.content.state)
        }
        let names = named.transactionIds.map(\.rawValue) + named.purchaseIds.map(\.rawValue)
        try store.add(names, of: compensation)
        let compensations = Compensations(context, catalog)
        try compensations.match(compensation, with: named.purchaseIds, because: message)
        try compensations.contest(named.proposalId, by: named.purchaseIds)
        return .applied
    }
}
