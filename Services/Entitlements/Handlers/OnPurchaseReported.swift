import Contracts
import Delivery
import Domain

/// `counterfoil.purchase.reported.v1`: what Apple says of a purchase goes into the ledger.
struct OnPurchaseReported {
    let catalog: Catalog

    func callAsFunction(
        _ message: Event<PurchaseReportedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let (report, facts) = (message.data, message.data.transaction)
        let (known, others) = try records(message, in: context)
        guard try others.allSatisfy(\.grant.holderStatus.hasLeft) || mayBeAnothers(report, in: context) else {
            return .deadLettered(Grant.Refusal.heldByAnotherBuyer.rawValue)
        }
        var grant = known?.grant ?? Grant(buyerId: report.buyerId)
        let floors = try BuyerHoldings(context).floors(for: grant, facts, catalog)
        let offer = catalog.lookup(bundleID: facts.bundleId, productID: facts.productId)
        let compensations = Compensations(context, catalog)
        // What Orders has lost of the proof is known here. Another payment may have taken the order that a token names
        // before: it is still the one that the proof names.
        let namesOrder = report.namesOrder ?? known?.namesOrder ?? false
        let named = namesOrder ? facts.tokenOrder ?? report.order.orderId : nil
        let current = try compensations.current(for: facts, naming: named, of: report.buyerId)
        let owned = try BuyerHoldings(context).owned(beside: grant, facts, offer, current ?? [])
        // A restored ledger may have told of what is refunded now: with its entries the refund is told, too.
        // So it is with amounts of what turned out to be shared.
        let isForgotten = try known == nil && Ledger(context).mayHaveForgottenGrant(of: facts)
        let mayBeUnshared = try known == nil && facts.isShared && context.mayHaveForgotten()
        let former = isForgotten ? facts.beforeRefund : mayBeUnshared ? facts.beforeSharing : nil
        let (buyer, order, transfer) = (report.buyerId, report.order.orderId, report.transfers ?? 0)
        var lines: [Grant.Line] = []
        if let former, transfer == 0 {
            lines = try grant.apply(former, for: buyer, offer: offer, owned: owned, order: order)
        }
        lines += try grant.apply(
            facts,
            for: buyer,
            offer: offer,
            floors: floors.adding(lines),
            owned: owned,
            transfer: transfer,
            order: order
        )
        var record = GrantRecord(
            grant,
            of: facts,
            report.order,
            report.submission,
            by: message,
            catalog,
            in: context,
            over: known
        )
        record.namesOrder = namesOrder
        if case .parked(let reason) = grant.state, grant.state != known?.grant.state {
            context.alarm(.purchaseParked, "a purchase of \(facts.productId) is parked: \(reason.rawValue)")
        }
        try Ledger(context).write(record, lines, over: known, for: report.submission)
        let isNews = grant.state != known?.grant.state
        try compensations.match(current, with: record, isNews: isNews, because: message)
        if isForgotten {
            try HoldingChanges(context).tellEnd(of: offer.possessions, to: buyer, facts)
        }
        return .applied
    }

    /// The buyer's record of the purchase, and those of others in this partition.
    ///
    /// Only a restored store can have it with another by an earlier transfer: from whom it has left, or whose it never
    /// was, it is taken.
    private func records(
        _ message: Event<PurchaseReportedV1>,
        in context: HandlerContext
    ) throws -> (known: GrantRecord?, others: [GrantRecord]) {
        let (store, report) = (GrantStore(connection: context.connection), message.data)
        var records = try store.records(of: report.transaction)
        let transfer = report.transfers ?? 0
        let isPaid = records.first { $0.grant.buyerId == report.buyerId }?
            .grant.holderStatus.isPaid(under: report.order.orderId)
        for other in records where other.grant.isHeld(byAnotherThan: report.buyerId, before: transfer) {
            if isPaid == true {
                let taking = TransferRequestedV1(report, of: other.grant, for: other.order)
                try Transfers(context).forfeit(other, by: taking, catalog, because: message)
            } else {
                try Transfers(context).take(other, to: report.buyerId, by: transfer, because: message)
            }
            records = try store.records(of: report.transaction)
        }
        let known = records.first { $0.grant.buyerId == report.buyerId }
        // Who has left it, or never had it, changes nothing for its holder.
        let isHolder =
            known.map { !$0.grant.holderStatus.hasLeft || transfer > $0.grant.holderStatus.last } ?? true
        return (known, isHolder ? records.filter { $0.grant.buyerId != report.buyerId } : [])
    }

    /// Whether it may have turned out that the purchase is this payer's and not another's, and a restored store has
    /// lost it.
    ///
    /// The report with the transfer follows, or the one of Receipts to take it from the other buyer.
    private func mayBeAnothers(_ report: PurchaseReportedV1, in context: HandlerContext) throws -> Bool {
        try report.transfers == nil && context.mayHaveForgotten()
    }
}
