import Contracts
import Delivery
import Domain

/// `counterfoil.consumption.requested.v1`: says what the buyer has used of a purchase, if the buyer agrees to that.
struct OnConsumptionRequested {
    func callAsFunction(
        _ message: Event<ConsumptionRequestedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let (request, grants) = (message.data, GrantStore(connection: context.connection))
        let buyer = BuyerKey(request.bundleId, request.buyerId, request.environment)
        let isConsented = try ConsentStore(connection: context.connection)
            .allowsConsumption(request.bundleId, request.buyerId)
        var report = ConsumptionReportedV1(request, isConsented: isConsented, isDelivered: false)
        // What has turned out to be another buyer's gave this one nothing.
        if isConsented, let record = try grants.record(of: request.purchaseId, to: buyer),
            record.grant.state != .void
        {
            report.isDelivered = record.isDelivered
            if !record.facts.isPeriod {
                report.consumed = record.isDelivered ? try used(record, of: buyer, context) : 0
            }
        }
        try context.send(report)
        return .applied
    }

    /// The used part of a grant's goods.
    private func used(
        _ record: GrantRecord,
        of buyer: BuyerKey,
        _ context: HandlerContext
    ) throws -> Int? {
        let (purchase, connection) = (record.facts.purchaseId, context.connection)
        let shares = try record.grant.goods.compactMap { goods -> Int? in
            if goods.amount != nil {
                return try LedgerStore(connection: connection)
                    .amounts(of: goods.entitlement, purchase, buyer)
                    .flatMap(ConsumedShare.used)
            }
            guard goods.durationDays != nil else { return nil }
            let holding = try HoldingStore(connection: connection).holding(buyer, of: goods.entitlement)
            let span = TimedPossession.spans(of: holding.timed.map(\.purchase)).first { $0.id == purchase }
            return span.map { ConsumedShare.used(of: $0, at: context.now) }
        }
        return ConsumedShare.mean(shares)
    }
}

extension GrantRecord {
    /// Whether the goods have come, also if they were taken back since.
    fileprivate var isDelivered: Bool {
        switch grant.state {
        case .granted, .reversed: true
        case .unseen, .parked, .tombstone, .void: false
        }
    }
}
