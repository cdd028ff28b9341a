import Contracts
import Delivery
import Domain

/// `counterfoil.transfer.requested.v1`: another login is to have a purchase of this partition's holder.
struct OnTransferRequested {
    let catalog: Catalog

    func callAsFunction(
        _ message: Event<TransferRequestedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let (request, facts) = (message.data, message.data.transaction)
        let known = try GrantStore(connection: context.connection).records(of: facts)
            .first { $0.grant.buyerId == request.buyerId }
        var answer = TransferAnsweredV1(
            facts,
            buyerId: request.buyerId,
            toBuyerId: request.toBuyerId,
            transfer: request.transfer,
            isTaken: true,
            cause: request.cause
        )
        let offer = catalog.lookup(bundleID: facts.bundleId, productID: facts.productId)
        let rule = TransferJudgement.rule(
            catalog,
            of: facts,
            known?.grant,
            known: known?.facts,
            offer: offer
        )
        switch TransferJudgement(known?.grant, request, rule: rule, offer: offer) {
        case .kept: answer.isTaken = false
        case .again(let buyer, let transfer, let cause):
            (answer.toBuyerId, answer.transfer, answer.cause) = (buyer, transfer, cause)
        case .taken:
            let record = try restated(known, message, in: context)
            try Transfers(context).take(record, to: request.toBuyerId, by: request.transfer, because: message)
        case .forfeited: try Transfers(context).forfeit(known, by: request, catalog, because: message)
        }
        // One that was answered before has its answer; only who asked waits for one.
        if !request.isAnswered { try context.send(answer) }
        return .applied
    }

    /// The grant as it was before the transfer, after the newest facts.
    ///
    /// It has not come yet, or a restored store has lost it, or newer facts have overtaken the request that brings
    /// them.
    private func restated(
        _ known: GrantRecord?,
        _ message: Event<TransferRequestedV1>,
        in context: HandlerContext
    ) throws -> GrantRecord {
        let (request, facts) = (message.data, message.data.transaction)
        var grant = known?.grant ?? Grant(buyerId: request.buyerId)
        let offer = catalog.lookup(bundleID: facts.bundleId, productID: facts.productId)
        // What a restored ledger has lost has left it whole; a refund reaches the buyer who has it now.
        let isForgotten = try known == nil && Ledger(context).mayHaveForgottenGrant(of: facts)
        let lines = try grant.apply(
            isForgotten ? facts.beforeRefund : facts,
            for: request.buyerId,
            offer: offer,
            floors: try BuyerHoldings(context).floors(for: grant, facts, catalog),
            owned: try BuyerHoldings(context).owned(beside: grant, facts, offer),
            transfer: known?.grant.holderStatus.last ?? request.transfer - 1
        )
        if let known, grant == known.grant { return known }
        let order = known?.order ?? OrderTerms(orderId: request.orderId)
        let record = GrantRecord(grant, of: facts, order, by: message, catalog, in: context, over: known)
        try Ledger(context).write(record, lines, over: known, for: nil)
        return record
    }
}
