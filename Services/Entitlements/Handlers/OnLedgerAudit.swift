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
        guard after.count == LedgerAuditStore.keyColumns else { return .refused(.noSuchPage("after")) }
        guard upTo.map({ $0.count == LedgerAuditStore.keyColumns }) ?? true else {
            return .refused(.noSuchPage("upTo"))
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
            key.difference(wrong: try wrong(key, context))
        }
        return .reply(
            LedgerAuditPage(
                count: entries.values.map(\.count).reduce(0, +),
                differences: balances + strange + access,
                next: end
            )
        )
    }

    /// How many things kept of a subscription are not as they must be.
    private func wrong(_ key: SubscriptionKey, _ context: HandlerContext) throws -> Int {
        let store = SubscriptionStore(connection: context.connection)
        let chain = try store.chain(key)
        let grants = GrantStore(connection: context.connection)
        let records = try chain.periods.compactMap { try grants.record(of: $0.purchaseId, to: key.buyer) }
        let own = records.filter { record in
            SubscriptionKey(record.facts, of: record.grant.buyerId) == key && record.facts.isPeriod
        }
        return AccessAudit.wrong(
            try store.access(key),
            chain,
            granted: Dictionary(
                own.map { ($0.facts.purchaseId, SubscriptionPeriod($0.facts, $0.grant)) },
                uniquingKeysWith: { first, _ in first }
            )
        )
    }
}

extension SubscriptionKey {
    /// The difference of a subscription of which `wrong` things are not as they must be.
    fileprivate func difference(wrong: Int) -> LedgerAuditPage.Difference? {
        guard wrong > 0 else { return nil }
        return LedgerAuditPage.Difference(
            .accessHasFacts,
            bundleId: buyer.bundleId,
            buyerId: buyer.buyerId,
            environment: buyer.environment,
            originalTransactionId: originalTransactionId,
            expected: 0,
            found: Int64(wrong)
        )
    }
}

extension RequestRefusal {
    fileprivate static func noSuchPage(_ field: String) -> RequestRefusal {
        RequestRefusal(.invalid, "No page begins or ends there.", field: field)
    }
}
