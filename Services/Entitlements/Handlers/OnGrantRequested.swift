import Contracts
import Database
import Delivery
import Domain

/// `counterfoil.grant.requested.v1`: applies a purchase to the ledger.
struct OnGrantRequested {
    let catalog: Catalog

    func callAsFunction(
        _ message: Event<GrantRequestedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let (request, facts) = (message.data, message.data.transaction)
        let known = try GrantStore(connection: context.connection).record(of: facts)
        var grant = known?.grant ?? Grant(buyerId: request.buyerId)
        let lines: [Grant.Line]
        do throws(Grant.Refusal) {
            let offer = catalog.lookup(bundleID: facts.bundleId, productID: facts.productId)
            lines = try grant.apply(facts, for: request.buyerId, offer: offer)
        } catch {
            return .parked(error.rawValue)
        }
        guard let record = GrantRecord(grant, by: message, at: context.now, over: known) else {
            return .parked("unseen")
        }
        if let known {
            // The row has the request that changed it last; an earlier one, or one without effect, goes here.
            let entry = record.grant == known.grant ? record.traceEntry : known.traceEntry
            context.record(entry, of: facts.purchaseId.rawValue)
            if record.facts != known.facts {
                try SupersededFactsStore(connection: context.connection).add(known)
            }
        }
        let entries = try context.write(lines, of: record, over: known)
        let submission = request.submission
        if grant.mustBeSent(after: lines, from: known?.grant.state, submission: submission) {
            try context.sendChanges(of: record, entries, submission: submission)
        }
        try context.send(GrantSettledV1(record))
        return .applied
    }
}

extension HandlerContext {
    func write(
        _ lines: [Grant.Line],
        of record: GrantRecord,
        over known: GrantRecord?
    ) throws -> [LedgerEntry] {
        try GrantStore(connection: connection).save(record, over: known)
        guard !lines.isEmpty else { return [] }
        let ledger = LedgerStore(connection: connection)
        let holdings = HoldingStore(connection: connection)
        let (bundle, buyer) = (record.facts.bundleId, record.grant.buyerId)
        var number = try ledger.lastNumber(bundleId: bundle, buyerId: buyer)
        var entries: [LedgerEntry] = []
        for line in lines {
            number += 1
            var id = EntryID(line, of: record.facts)
            if line.kind != .grant, try ledger.number(of: id, bundleId: bundle, buyerId: buyer) != nil {
                id = EntryID(line, of: record.facts, isRepeated: true)
            }
            let entry = LedgerEntry(line, id, of: record)
            try ledger.append(entry, number: number, of: record)
            try holdings.add(line, of: record)
            entries.append(entry)
        }
        return entries
    }
}

extension LedgerEntry {
    fileprivate init(_ line: Grant.Line, _ id: EntryID, of record: GrantRecord) {
        self.init(
            entryId: id.rawValue,
            kind: line.kind,
            entitlement: line.entitlement,
            amount: line.amount,
            transactionId: record.facts.transactionId,
            purchaseId: record.facts.purchaseId,
            productId: record.facts.productId,
            order: record.order,
            environment: record.facts.environment,
            time: record.changedAt
        )
    }
}
