import Contracts
import Delivery
import Domain

/// `counterfoil.consumption.requested.v1`: says what the buyer has used of a purchase, if the buyer agrees to that.
struct OnConsumptionRequested {
    func callAsFunction(
        _ message: Event<ConsumptionRequestedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let request = message.data
        guard
            try ConsentStore(connection: context.connection)
                .allowsConsumption(request.bundleId, request.buyerId)
        else {
            try context.send(ConsumptionReportedV1(request, isConsented: false, isDelivered: false))
            return .applied
        }
        let buyer = BuyerKey(request.bundleId, request.buyerId, request.environment)
        let known = try GrantStore(connection: context.connection).record(of: request.purchaseId, to: buyer)
        // What has turned out to be another buyer's gave this one nothing.
        let record = known?.grant.state == .void ? nil : known
        let isDelivered = record?.isDelivered ?? false
        let consumed = try record.flatMap { record -> Int? in
            guard !record.facts.isPeriod else { return nil }
            return isDelivered ? try used(record, of: buyer, context) : 0
        }
        try context.send(
            ConsumptionReportedV1(
                request,
                isConsented: true,
                isDelivered: isDelivered,
                consumed: consumed
            )
        )
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
