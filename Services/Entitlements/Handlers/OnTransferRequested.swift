import Contracts
import Delivery
import Domain

/// `counterfoil.transfer.requested.v1`: another login is to have a purchase of this partition's holder.
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
            isTaken: true,
            cause: request.cause
        )
        let offer = catalog.lookup(bundleID: facts.bundleId, productID: facts.productId)
        switch TransferJudgement(known?.grant, request, rule: rule(of: facts, known: known), offer: offer) {
        case .kept: answer.isTaken = false
        case .again(let buyer, let transfer, let cause):
            (answer.toBuyerId, answer.transfer, answer.cause) = (buyer, transfer, cause)
        case .taken:
            let record = try restated(known, message, in: &context)
            try context.take(record, to: request.toBuyerId, by: request.transfer, because: message)
        case .forfeited: try context.forfeit(known, by: request, catalog, because: message)
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

    /// Takes everything back from a buyer whose the purchase never was.
    mutating func forfeit(
        _ known: GrantRecord?,
        by request: TransferRequestedV1,
        _ catalog: Catalog,
        because message: Event<some Contract>
    ) throws {
        let facts = request.transaction
        var grant = known?.grant ?? Grant(buyerId: request.buyerId)
        let floored = try floors(of: EntitlementsGetV1(facts, of: request.buyerId), catalog)
        var lines = try known == nil ? restate(&grant, request, catalog, floored) : []
        lines += grant.forfeit(
            facts,
            to: request.toBuyerId,
            by: request.transfer,
            because: request.cause,
            order: known?.order.orderId,
            floors: floored.adding(lines)
        )
        let record = GrantRecord(
            grant,
            of: facts,
            known?.order ?? OrderTerms(orderId: request.orderId),
            by: message,
            catalog.version,
            at: now,
            over: known
        )
        try settle(record, lines, over: known, for: known?.submission)
    }

    /// Grants what a restored ledger may have told before it was lost, so that its end is told, too.
    private func restate(
        _ grant: inout Grant,
        _ request: TransferRequestedV1,
        _ catalog: Catalog,
        _ floors: [String: Int64]
    ) throws -> [Grant.Line] {
        // The first holder was the payer; of a later one only Orders knows it, and tells it.
        guard request.transfer == 1, try mayHaveForgotten() else { return [] }
        let (facts, buyer) = (request.transaction, request.buyerId)
        let offer = catalog.lookup(bundleID: facts.bundleId, productID: facts.productId)
        let others = try owned(beside: grant, facts, offer)
        var lines: [Grant.Line] = []
        if RefundedShare(facts).isFull {
            lines = try grant.apply(facts.beforeRefund, for: buyer, offer: offer, owned: others)
        }
        lines += try grant.apply(
            facts,
            for: buyer,
            offer: offer,
            floors: floors.adding(lines),
            owned: others
        )
        return lines
    }
}
