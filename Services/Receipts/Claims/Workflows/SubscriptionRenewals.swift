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
        let period = SubscriptionNews.Period(
            purchaseId: record.key.purchaseID,
            purchaseDate: record.purchasedAt,
            holder: holder.buyer
        )
        let renewal = try RenewalStore(connection: context.connection).renewal(of: record.chainKey)
        return SubscriptionNews.items(period, before: before, after: after, renewal: renewal)
            .map { SubscriptionUpdatedV1($0, of: record.chainKey) }
    }

    /// Notes what Apple said of a renewal; the holder of the chain's last period learns it.
    func note(_ renewal: RenewalFacts, with facts: TransactionFacts) throws {
        let chain = ChainKey(facts)
        let isNews = try RenewalStore(connection: context.connection).save(renewal, of: chain)
        let claims = ClaimStore(connection: context.connection)
        guard isNews, let last = try claims.lastHolder(of: chain)?.buyer else { return }
        let news = SubscriptionNews.Item(buyer: last, renewal: renewal)
        try context.send(SubscriptionUpdatedV1(news, of: chain))
    }
}

extension SubscriptionUpdatedV1 {
    fileprivate init(_ news: SubscriptionNews.Item, of chain: ChainKey) {
        self.init(
            bundleId: chain.bundleID,
            buyerId: news.buyer,
            environment: chain.environment,
            originalTransactionId: chain.originalTransactionID,
            renewal: news.renewal,
            successor: news.successor
        )
    }
}
