import Contracts
import Delivery
import Domain

/// `counterfoil.transfer.requested.v1`: another login restores a purchase of this partition's holder.
struct OnTransferRequested {
    let catalog: Catalog

    func callAsFunction(
        _ message: Event<TransferRequestedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let (request, facts) = (message.data, message.data.transaction)
        let known = try GrantStore(connection: context.connection).records(of: facts)
            .first { $0.grant.buyerId == request.buyerId }
        var answer = TransferSettledV1(
            facts,
            buyerId: request.buyerId,
            toBuyerId: request.toBuyerId,
            transfer: request.transfer,
            isTaken: true
        )
        switch TransferJudgement(known?.grant, request, rule: rule(of: facts, known: known)) {
        case .kept: answer.isTaken = false
        case .again(let buyer, let transfer): (answer.toBuyerId, answer.transfer) = (buyer, transfer)
        case .taken:
            let record = try restated(known, message, in: &context)
            try context.take(record, to: request.toBuyerId, by: request.transfer, because: message)
        }
        // One that was settled before has its answer; only who asked waits for one.
        if !request.isSettled { try context.send(answer) }
        return .applied
    }

    /// The product's rule; `conflict` where the other login would get nothing, so that nobody would have the purchase.
    private func rule(of facts: TransactionFacts, known: GrantRecord?) -> Catalog.OtherLoginRule {
        let newest = known.flatMap { $0.facts.isNewer(than: facts) ? $0.facts : nil } ?? facts
        let offer = catalog.lookup(bundleID: facts.bundleId, productID: facts.productId)
        guard Obligation(newest, offer: offer).givesPossession, known?.grant.gavePossession != false else {
            return .conflict
        }
        return catalog.product(facts.productId, of: facts.bundleId)?.onOtherLogin ?? .conflict
    }

    /// The grant as it was before the transfer, after the newest facts.
    ///
    /// It has not come yet, or a restored store has lost it, or newer facts have overtaken the request that brings them.
    private func restated(
        _ known: GrantRecord?,
        _ message: Event<TransferRequestedV1>,
        in context: inout HandlerContext
    ) throws -> GrantRecord {
        let (request, facts) = (message.data, message.data.transaction)
        var grant = known?.grant ?? Grant(buyerId: request.buyerId)
        let offer = catalog.lookup(bundleID: facts.bundleId, productID: facts.productId)
        // What a restored ledger has lost has left it whole; a refund reaches the buyer who has it now.
        let isForgotten = try known == nil && context.mayHaveForgottenGrant(of: facts)
        let lines = try grant.apply(
            isForgotten ? facts.beforeRefund : facts,
            for: request.buyerId,
            offer: offer,
            floors: try context.floors(of: grant, facts, catalog),
            owned: try context.owned(beside: grant, facts, offer),
            transfer: known?.grant.tenure.last ?? request.transfer - 1
        )
        if let known, grant == known.grant { return known }
        let record = GrantRecord(
            grant,
            of: facts,
            known?.order ?? OrderTerms(orderId: request.orderId),
            by: message,
            catalog.version,
            at: context.now,
            over: known
        )
        try context.settle(record, lines, over: known, for: nil)
        return record
    }
}

extension HandlerContext {
    /// Takes the possessions of a purchase back from a buyer from whom it moves.
    mutating func take(
        _ known: GrantRecord,
        to buyer: BuyerID,
        by transfer: Int,
        because message: Event<some Contract>
    ) throws {
        var record = known
        let lines = record.grant.leave(to: buyer, by: transfer)
        (record.changedAt, record.eventId, record.causationId) = (now, message.id, message.causationID)
        try settle(record, lines, over: known, for: known.submission)
    }
}
