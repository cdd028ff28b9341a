import Contracts
import Database
import Delivery
import Domain

/// Tells Entitlements what it must know of a subscription besides its periods.
struct SubscriptionRenewals {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Tells what follows from a period that has come to be held.
    func announce(_ record: ClaimRecord) throws {
        for news in try news(of: record) { try context.send(news) }
    }

    /// Tells it again to a partition of Entitlements that was restored.
    func redrive(_ record: ClaimRecord, to target: PartitionAddress) throws {
        for news in try news(of: record) where context.owner(of: news) == target { try context.send(news) }
    }

    private func news(of record: ClaimRecord) throws -> [SubscriptionUpdatedV1] {
        guard case .held(let holder) = record.claim.state, record.mayHaveOthers else { return [] }
        let (before, after) = try ClaimStore(connection: context.connection).heldNeighbours(of: record)
        let (key, chain) = (record.key, record.originalTransactionID)
        let period = SubscriptionNews.Period(
            purchaseId: key.purchaseID,
            purchaseDate: record.purchasedAt,
            holder: holder.buyer
        )
        let renewal = try RenewalStore(connection: context.connection).renewal(
            of: chain,
            key.bundleID,
            key.environment
        )
        return SubscriptionNews.items(period, before: before, after: after, renewal: renewal).map {
            SubscriptionUpdatedV1(
                bundleId: key.bundleID,
                buyerId: $0.buyer,
                environment: key.environment,
                originalTransactionId: chain,
                renewal: $0.renewal,
                successor: $0.successor
            )
        }
    }

    /// Notes what Apple said of a renewal; the holder of the chain's last period learns it.
    func note(_ renewal: RenewalFacts, with facts: TransactionFacts) throws {
        let isNews = try RenewalStore(connection: context.connection)
            .save(renewal, of: facts.originalTransactionId, facts.bundleId, facts.environment)
        let claims = ClaimStore(connection: context.connection)
        guard isNews, let last = try claims.lastHolder(of: ChainKey(facts))?.buyer else { return }
        try context.send(
            SubscriptionUpdatedV1(
                bundleId: facts.bundleId,
                buyerId: last,
                environment: facts.environment,
                originalTransactionId: facts.originalTransactionId,
                renewal: renewal
            )
        )
    }
}
