import Contracts
import Delivery
import Domain

/// `counterfoil.ledger.audit.v1`: proves some buyers' ledgers, as they are in this transaction.
struct OnLedgerAudit {
    /// Entries of a page, and those of its last buyer: few enough for an owner whom buyers ask meanwhile.
    static let entriesPerPage = 500

    let catalog: Catalog

    func callAsFunction(
        _ message: Event<LedgerAuditV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<LedgerAuditPage> {
        let (after, upTo) = (message.data.after ?? ["", ""], message.data.upTo)
        for (field, key) in [("after", after), ("upTo", upTo ?? after)]
        where key.count != LedgerAuditStore.keyColumns {
            return .refused(.invalid(field, "No page begins or ends there."))
        }
        let store = LedgerAuditStore(connection: context.connection)
        let end = try upTo ?? store.end(after: after, rows: Self.entriesPerPage)
        let buyers = LedgerAuditStore.Buyers(after: after, upTo: end)
        let entries = try store.entries(of: buyers)
        let balances = LedgerAudit.differences(entries, kept: try store.kept(of: buyers)) {
            catalog.balance(of: $0) == .floor
        }
        let strange = try store.strangePossessions(of: buyers)
        let access = try store.subscriptions(of: buyers).compactMap { key in
            key.buyer.difference(
                .accessHasFacts,
                originalTransactionId: key.originalTransactionId,
                found: Int64(try wrong(key, context))
            )
        }
        let count = entries.values.map(\.count).reduce(0, +)
        return .reply(LedgerAuditPage(count: count, differences: balances + strange + access, next: end))
    }

    /// How many things kept of a subscription are not as they must be.
    private func wrong(_ key: SubscriptionKey, _ context: HandlerContext) throws -> Int {
        let store = SubscriptionStore(connection: context.connection)
        let chain = try store.chain(key)
        let grants = GrantStore(connection: context.connection)
        var granted: [PurchaseID: SubscriptionPeriod] = [:]
        for purchase in chain.periods.map(\.purchaseId) {
            guard let record = try grants.record(of: purchase, to: key.buyer), record.facts.isPeriod,
                SubscriptionKey(record.facts, of: record.grant.buyerId) == key
            else { continue }
            granted[purchase] = SubscriptionPeriod(record.facts, record.grant)
        }
        return AccessAudit.wrong(try store.access(key), chain, granted: granted)
    }
}
