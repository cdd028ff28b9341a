import Contracts
import Delivery
import Domain

/// What a purchase that goes to another buyer changes in the ledger that it leaves.
struct Transfers {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Takes the possessions of a purchase back from a buyer from whom it moves.
    func take<Body: Contract>(
        _ known: GrantRecord,
        to buyer: BuyerID,
        by transfer: Int,
        because message: Event<Body>
    ) throws {
        var record = known
        let lines = record.grant.leave(to: buyer, by: transfer)
        record.changedAt = context.now
        (record.eventId, record.eventType, record.causationId) = (message.id, Body.type, message.causationID)
        try Ledger(context).write(record, lines, over: known, for: known.submission)
    }

    /// Takes everything back from a buyer whose the purchase never was.
    func forfeit(
        _ known: GrantRecord?,
        by request: TransferRequestedV1,
        _ catalog: Catalog,
        because message: Event<some Contract>
    ) throws {
        let (facts, buyer) = (request.transaction, request.buyerId)
        var grant = known?.grant ?? Grant(buyerId: buyer)
        let floored = try BuyerHoldings(context).floors(of: BuyerKey(facts, of: buyer), catalog)
        var lines = try known == nil ? restate(&grant, request, catalog, floored) : []
        lines += grant.forfeit(
            facts,
            to: request.toBuyerId,
            by: request.transfer,
            because: request.cause,
            order: known?.order.orderId,
            floors: floored.adding(lines)
        )
        let order = known?.order ?? OrderTerms(orderId: request.orderId)
        let record = GrantRecord(grant, of: facts, order, by: message, catalog, in: context, over: known)
        try Ledger(context).write(record, lines, over: known, for: known?.submission)
    }

    /// Grants what a restored ledger may have told before it was lost, so that its end is told, too.
    private func restate(
        _ grant: inout Grant,
        _ request: TransferRequestedV1,
        _ catalog: Catalog,
        _ floors: Floors
    ) throws -> [Grant.Line] {
        // The first holder was the payer; of a later one only Orders knows it, and tells it.
        guard request.transfer == 1, try context.mayHaveForgotten() else { return [] }
        let (facts, buyer) = (request.transaction, request.buyerId)
        let offer = catalog.lookup(bundleID: facts.bundleId, productID: facts.productId)
        let others = try BuyerHoldings(context).owned(beside: grant, facts, offer)
        var lines: [Grant.Line] = []
        if RefundedShare(facts).isFull {
            lines = try grant.apply(facts.beforeRefund, for: buyer, offer: offer, owned: others)
        }
        let floored = floors.adding(lines)
        lines += try grant.apply(facts, for: buyer, offer: offer, floors: floored, owned: others)
        return lines
    }
}
