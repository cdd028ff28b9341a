import Contracts
import Database
import Delivery

/// Questions about Apple's orders, and whom their answers reach.
struct AppleOrders {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    private var store: AppleOrderStore { AppleOrderStore(connection: context.connection) }

    /// What is known of an order; Apple is asked if that is due and the app has a key.
    func ask(
        _ order: AppleOrderID,
        of bundle: BundleID,
        _ policies: [BundleID: AppPolicy]
    ) throws -> AppleOrderV1 {
        guard policies[bundle]?.apis.contains(.serverAPI) == true else {
            return AppleOrderV1(state: .unaskable)
        }
        let question = AppleOrderQuestion(try store.record(order, of: bundle))
        guard question.isDue(at: context.now) else { return question.answer }
        try store.ask(order, of: bundle, now: context.now)
        try AppleQueries(context).ask(.order(order), of: bundle, .awaited)
        return AppleOrderV1(state: .asked, askedAt: context.now)
    }

    /// Notes what belongs to an order, and tells it to the compensations that stand on it.
    func answer(
        _ order: AppleOrderID,
        of bundle: BundleID,
        _ facts: [TransactionFacts],
        askedAt: Timestamp
    ) throws {
        try store.answer(order, of: bundle, facts, askedAt: askedAt)
        for wanted in try store.wanted(order, of: bundle) { try tell(wanted) }
    }

    /// Tells a compensation which transactions its order has, once Apple has named them.
    func tell(_ wanted: AppleOrderWantedV1, to target: PartitionAddress? = nil) throws {
        guard let record = try store.record(wanted.appleOrderId, of: wanted.bundleId),
            let transactions = record.transactions, !transactions.isEmpty
        else { return }
        let named = AppleOrderNamedV1(
            proposalId: wanted.proposalId,
            appleOrderId: wanted.appleOrderId,
            transactionIds: transactions,
            purchaseIds: record.purchases
        )
        guard target == nil || context.owner(of: named) == target else { return }
        try context.send(named)
    }
}
