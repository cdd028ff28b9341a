import Contracts
import Delivery
import Domain

/// `counterfoil.grant.retry.v1`: parked grants are judged again by the present catalog.
struct OnGrantRetry {
    static let maximumPerRequest = 100

    let catalog: Catalog

    func callAsFunction(
        _ message: Event<GrantRetryV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<RetryPage> {
        let (scope, after) = (message.data.scope, message.data.after ?? [])
        guard after.isEmpty || after.count == GrantRecord.keyColumns else {
            return .refused(.invalid("after", "No page begins there."))
        }
        let page = try GrantStore(connection: context.connection)
            .page(after: after, limit: Self.maximumPerRequest, where: GrantStore.isParked)
        var items: [RetryPage.Item] = []
        for record in page where scope.covers(record) {
            let judged = try retry(record, message, in: context)
            items.append(RetryPage.Item(record, judged: judged))
        }
        let isLast = page.count < Self.maximumPerRequest
        return .reply(RetryPage(items, next: isLast ? nil : page.last?.key))
    }

    /// Applies the offer once, like any request; a grant parked for the same reason leaves no trace.
    private func retry(
        _ known: GrantRecord,
        _ message: Event<GrantRetryV1>,
        in context: HandlerContext
    ) throws -> Grant {
        let (facts, order) = (known.facts, known.order)
        var grant = known.grant
        let floors = try BuyerHoldings(context).floors(for: grant, facts, catalog)
        let offer = catalog.lookup(bundleID: facts.bundleId, productID: facts.productId)
        let compensations = Compensations(context, catalog)
        let current = try compensations.current(for: facts, naming: known.orderOfProof, of: grant.buyerId)
        let owned = try BuyerHoldings(context).owned(beside: grant, facts, offer, current ?? [])
        let lines = grant.retry(offer: offer, floors: floors, owned: owned)
        guard grant != known.grant else { return grant }
        let record = GrantRecord(grant, of: facts, order, by: message, catalog, in: context, over: known)
        try Ledger(context).write(record, lines, over: known, for: record.submission)
        try compensations.match(current, with: record, because: message)
        return grant
    }
}

extension RetryScope {
    fileprivate func covers(_ record: GrantRecord) -> Bool {
        covers(products: [record.facts.productId], buyer: record.grant.buyerId, receipt: record.receiptId)
    }
}

extension RetryPage.Item {
    fileprivate init(_ record: GrantRecord, judged grant: Grant) {
        self.init(
            .grant,
            id: record.facts.purchaseId.rawValue,
            bundleId: record.facts.bundleId,
            environment: record.facts.environment,
            buyerId: grant.buyerId,
            productId: record.facts.productId,
            before: RetryPage.ItemStatus(record.grant.state.name, reason: record.grant.state.reason),
            after: RetryPage.ItemStatus(grant.state.name, reason: grant.state.reason)
        )
    }
}
